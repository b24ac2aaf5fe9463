"""The world: populations in a domain, stepped together by a clock, watched by observers."""
