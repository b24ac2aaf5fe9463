"""Studio: the window in the browser, replays and videos."""
