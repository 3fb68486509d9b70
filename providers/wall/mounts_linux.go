package wall

import (
	"os"
	"path/filepath"
	"strings"
)

// mount is a place at which a part of a file system shows.
type mount struct {
	device    string
	from, top string // the folder of the file system, and where it shows
}

// otherNames returns the other paths of files and folders: a folder can show at several places, as with "mount --bind" and in
// containers that have the whole system of their host below a folder. Landlock knows a folder wherever it shows, so a rule for
// one of the places would allow the others, too.
func otherNames(paths []string, mounts []mount) []string {
	var out []string
	for _, path := range paths {
		// The one that was mounted last shows.
		var own mount
		for _, m := range mounts {
			if isWithin(m.top, path) && len(m.top) >= len(own.top) {
				own = m
			}
		}
		if own.top == "" {
			continue
		}
		inside := filepath.Join(own.from, strings.TrimPrefix(path, own.top))
		for _, m := range mounts {
			switch {
			case m.device != own.device || m.top == own.top:
			case isWithin(m.from, inside):
				out = append(out, filepath.Join(m.top, strings.TrimPrefix(inside, m.from)))
			// Only a part of what is hidden shows there.
			case isWithin(inside, m.from):
				out = append(out, m.top)
			}
		}
	}
	return out
}

// mountsHere lists what is mounted, as the kernel lists it (proc_pid_mountinfo(5)); nothing if that cannot be read.
func mountsHere() []mount {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	return parseMounts(string(text))
}

func parseMounts(text string) (out []mount) {
	// The kernel writes blanks and backslashes in octal.
	plain := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) > 4 {
			out = append(out, mount{fields[2], plain.Replace(fields[3]), plain.Replace(fields[4])})
		}
	}
	return out
}
