package providers

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// showsParents reports whether a row has the parent of its process.
const showsParents = true

// processTable reads /proc. Zombies are left out: they are dead, and only
// their parent can remove them. The root is of no interest here.
func processTable(int) []row {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil
	}
	boot := bootID()
	var table []row
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		// A dead process that its parent has not waited for needs no signal.
		if r, state, ok := readStat(pid, boot); ok && state != "Z" && state != "X" {
			table = append(table, r)
		}
	}
	return table
}

// identity distinguishes the process from all others that ever had its number: its
// boot and its start in clock ticks since then. It is "" for a
// process that is gone.
func identity(pid int) string {
	r, _, _ := readStat(pid, bootID())
	return r.started
}

// readStat reads /proc/PID/stat, see proc_pid_stat(5). The program's name, in
// parentheses, may hold anything; fields are counted from behind it.
func readStat(pid int, boot string) (r row, state string, ok bool) {
	content, ok := readProc(pid, "/stat")
	if !ok {
		return row{}, "", false
	}
	return parseStat(pid, boot, content)
}

func parseStat(pid int, boot string, content []byte) (r row, state string, ok bool) {
	const state3, ppid4, pgrp5, session6, starttime22 = 0, 1, 2, 3, 19
	// The name of the program may hold anything, even parentheses.
	fields := bytes.Fields(content[bytes.LastIndexByte(content, ')')+1:])
	if len(fields) <= starttime22 {
		return row{}, "", false
	}
	number := func(i int) int {
		// The kernel writes numbers.
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	return row{
		pid:     pid,
		parent:  number(ppid4),
		group:   number(pgrp5),
		session: number(session6),
		started: boot + "/" + string(fields[starttime22]),
	}, string(fields[state3]), true
}

// startTime returns when a process started, in clock ticks since the boot; 0 if that is not known.
func startTime(identity string) uint64 {
	_, ticks, _ := strings.Cut(identity, "/")
	// For a process that is gone, there is none.
	n, _ := strconv.ParseUint(ticks, 10, 64)
	return n
}

// bootID returns the identity of this boot of the system.
var bootID = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		// Numbers and ticks still distinguish processes of one boot.
		return ""
	}
	return strings.TrimSpace(string(id))
})

// readProc reads a file of /proc about a process. It goes without os.File: the end of each agent and each command reads
// two such files for every process of the machine, twice.
func readProc(pid int, name string) (content []byte, ok bool) {
	var fd int
	err := error(syscall.EINTR)
	// The end of each agent and command reads two such files for every process of the machine, twice, so os.File is left out.
	for err == syscall.EINTR { //nolint:errorlint // the system's own number
		fd, err = syscall.Open("/proc/"+strconv.Itoa(pid)+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, false
	}
	defer syscall.Close(fd)
	content = make([]byte, 0, 4096)
	for {
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		n, err := syscall.Read(fd, content[len(content):cap(content)])
		switch {
		case err == syscall.EINTR: //nolint:errorlint // the system's own number
		case err != nil:
			return nil, false
		case n == 0:
			return content, true
		default:
			content = content[:len(content)+n]
		}
	}
}

// environ returns the environment a process was started with, nil where that
// cannot be read, as for another user's process.
func environ(pid int) []string {
	content, ok := readProc(pid, "/environ")
	if !ok {
		return nil
	}
	return strings.Split(string(content), "\x00")
}
