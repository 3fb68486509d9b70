//go:build !linux

package e2e

// scratch is "": the tests work in the system's folder for temporary files.
func scratch() string { return "" }
