package providers

import (
	"strconv"
	"syscall"
	"unsafe"
)

// showsParents reports whether a row has the parent of its process.
const showsParents = true

// processTable takes a snapshot with the tool help library. A child keeps its
// parent's number after the parent's end, so descendants stay findable.
func processTable(int) []row {
	snapshot, err := syscall.CreateToolhelp32Snapshot(syscall.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer syscall.CloseHandle(snapshot)
	var table []row
	entry := syscall.ProcessEntry32{}
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err := syscall.Process32First(snapshot, &entry); err == nil; err = syscall.Process32Next(snapshot, &entry) {
		pid := int(entry.ProcessID)
		if started := identity(pid); started != "" {
			table = append(table, row{pid: pid, parent: int(entry.ParentProcessID), started: started})
		}
	}
	return table
}

// identity is the creation time, in units of 100 ns; "" for a process that is
// gone or belongs to the system.
func identity(pid int) string {
	const queryLimitedInformation = 0x1000
	handle, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer syscall.CloseHandle(handle)
	var created, exited, kernel, user syscall.Filetime
	// Windows keeps a process that has ended as long as anything has a handle to it.
	if syscall.GetProcessTimes(handle, &created, &exited, &kernel, &user) != nil || exited.HighDateTime != 0 {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds()/100, 10)
}

// startTime is not known here.
func startTime(string) uint64 { return 0 }

// environ is not known here.
func environ(int) []string { return nil }
