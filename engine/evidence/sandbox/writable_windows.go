package sandbox

// writable reports whether this process could write a file. There is no wall that could refuse it.
func writable(string) bool { return true }
