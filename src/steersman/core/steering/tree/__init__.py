"""Tree: the nodes of a steering tree, where their forces are added up, and the trace that explains them."""
