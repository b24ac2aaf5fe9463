"""The same work, in one sitting, by this library and by what a user would pick instead."""
