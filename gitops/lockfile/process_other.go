//go:build !linux && !darwin && !windows

package lockfile

// bootID and startTime are not known here.
func bootID() string { return "" }

func startTime(int) string { return "" }
