package e2e

import "os"

// alive reports whether a process runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Release() == nil
}
