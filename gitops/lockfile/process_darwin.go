package lockfile

import "syscall"

// bootID changes with every start of the machine.
func bootID() string {
	id, err := syscall.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}

// startTime is unknown to the standard library here.
func startTime(int) string { return "" }
