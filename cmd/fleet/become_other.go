//go:build !unix

package fleet

// become cannot replace a process on this system: the operation says which program to start.
func become(string, []string) error { return nil }
