//go:build !linux && !darwin && !windows

package gitops

// bootID and startTime are not known here.
func bootID() string { return "" }

func startTime(int) string { return "" }
