package gitexec

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// VersionError says that git is missing (Have is empty) or older than this package needs.
type VersionError struct{ Have, Want string }

// Error names both versions.
func (e *VersionError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("git is not on the PATH; install git %s or newer", e.Want)
	}
	return fmt.Sprintf("git %s is too old; install git %s or newer", e.Have, e.Want)
}

// Error is a git command that failed. Args are what followed "git", without the
// settings that every call carries; Stderr is what git said, at most 64 KiB. Waited is how
// long Retry has waited for a lock of another process.
type Error struct {
	Args     []string
	Dir      string // where it ran
	ExitCode int
	Stderr   string
	Waited   time.Duration
	// DiskFull says that no space was left where it ran. Git often does not say so, and what it has begun may be gone by now.
	DiskFull bool
}

// Error is one line: the subcommand and the line of Stderr with the reason, or that there
// was none, as when a hook refuses without a word.
func (e *Error) Error() string {
	name := "git"
	if at := slices.IndexFunc(e.Args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }); at >= 0 {
		name = "git " + e.Args[at]
	}
	if file := e.LockFile(); file != "" {
		return fmt.Sprintf("%s: locked by %q, which still exists after %s; remove it if no git process is running", name, file, roundWait(e.Waited))
	}
	if line := reason(e.Stderr); line != "" {
		return name + ": " + line
	}
	if e.ExitCode < 0 {
		return name + " was ended from outside and said nothing"
	}
	return fmt.Sprintf("%s ended with exit status %d and said nothing", name, e.ExitCode)
}

// Locked reports whether git found one of its lock files in the way.
func (e *Error) Locked() bool { return strings.Contains(e.Stderr, ".lock") }

// Damaged reports whether git found that objects of the repository are missing or are not what their names say. It has
// no exit code of its own for that.
func (e *Error) Damaged() bool { return damaged().MatchString(e.Stderr) }

var damaged = sync.OnceValue(func() *regexp.Regexp {
	// Git has no exit code for damage, only these messages.
	return regexp.MustCompile(`(?i)bad (tree )?object |not a tree object|could not (parse|read) (HEAD|commit|[0-9a-f]{40})|failed to unpack tree object|` +
		`unable to (read tree|read sha1 file|parse commit|unpack [0-9a-f]+ header)|missing (blob|tree) object|(object|object file) \S+ .*is (corrupt|empty)|invalid sha1 pointer|nonexistent object`)
})

// Unsigned reports whether git could not sign a commit, as its settings have it do: the program is missing, or has no key.
func (e *Error) Unsigned() bool {
	return slices.Contains(e.Args, "commit-tree") && unsigned().MatchString(e.Stderr)
}

var unsigned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)cannot run |failed to (sign|write commit)|signing key|load (public )?key|secret key|user\.signingkey|ssh-keygen`)
})

// SettingsFile returns the file of settings that git could not read, "" if that was not what failed.
func (e *Error) SettingsFile() string {
	found := badSettings().FindStringSubmatch(e.Stderr)
	if found == nil {
		return ""
	}
	// Git names the file of a repository from where it ran, and the reader may be in another folder.
	if filepath.IsAbs(found[1]) || e.Dir == "" {
		return found[1]
	}
	return filepath.Join(e.Dir, filepath.FromSlash(found[1]))
}

var badSettings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^fatal: bad (?:numeric |boolean )?config (?:line|value|variable) .*?\bin file '?(.+?)'?(?: at line \d+|: .*)?$`)
})

// Unreachable reports whether git could not connect to the machine of a remote, by any protocol.
func (e *Error) Unreachable() bool { return unreachable().MatchString(e.Stderr) }

var unreachable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)unable to (connect|look up)|could not resolve|failed to connect|connect to host|no route to host|` +
		`(network|host) is unreachable|connection (timed out|refused|reset|closed)|name resolution`)
})

// LockFile returns the lock file for which Retry has waited in vain, "" if it did not wait or
// git did not name the file.
func (e *Error) LockFile() string {
	// Only after waiting in vain is the file worth a name: before, the lock is that of a process at work.
	if e.Waited == 0 {
		return ""
	}
	_, rest, _ := strings.Cut(e.Stderr, "Unable to create '")
	file, _, found := strings.Cut(rest, ".lock': File exists")
	if !found || strings.Contains(file, "\n") {
		return ""
	}
	return file + ".lock"
}

// roundWait rounds a time for people: 10s, 100ms.
func roundWait(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(time.Second)
	}
	return d.Round(time.Millisecond)
}

// reason finds the most informative line: the first fatal or error line, with the next one if it ends in a colon, and with a
// line before it by which a shell says that a program is missing, such as one of a filter; else the last line that is not a
// hint. Progress ends with a carriage return.
func reason(stderr string) string {
	// Progress ends with a carriage return, so it counts as an end of line.
	lines := strings.FieldsFunc(stderr, func(r rune) bool { return r == '\r' || r == '\n' })
	if refused := programFailure(lines); refused != "" {
		return refused
	}
	last, missing := "", ""
	for i, line := range lines {
		line = strings.TrimSpace(line)
		for _, prefix := range []string{"fatal: ", "error: "} {
			rest, ok := strings.CutPrefix(line, prefix)
			if !ok {
				continue
			}
			// A line that ends in a colon continues in the next one.
			if strings.HasSuffix(rest, ":") && i+1 < len(lines) {
				rest += " " + strings.TrimSpace(lines[i+1])
			}
			return strings.TrimSuffix(rest, ".") + missing
		}
		// A shell reports in such a line that a program is missing, such as one of a filter.
		if strings.HasSuffix(line, "not found") || strings.HasSuffix(line, "No such file or directory") || strings.HasSuffix(line, "Permission denied") {
			missing = " (" + line + ")"
		}
		if line != "" && !strings.HasPrefix(line, "hint:") {
			last = line
		}
	}
	return strings.TrimSuffix(last, ".")
}

// programFailure returns which hook or filter has made git fail, with the last line that it printed itself; "" if none has. git
// passes what they print on, before its own lines.
func programFailure(lines []string) string {
	what, said := "", ""
	for _, line := range lines {
		line = strings.TrimSpace(line)
		own := gitLine().MatchString(line)
		switch {
		case refusedByHook().MatchString(line):
			what = `the hook "reference-transaction" refused it`
		case failedFilter().MatchString(line):
			what = failedFilter().ReplaceAllString(line, `$2 filter "$3" failed for "$1"`)
		// Behind the failure come lines of git itself, such as progress.
		case what == "" && line != "" && !own:
			said = line
		}
	}
	if what == "" || said == "" {
		return what
	}
	return what + ": " + said
}

var (
	// Only one hook can refuse what git calls a transaction. Newer versions name it.
	refusedByHook = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^fatal: (ref updates aborted by hook|in '\w+' phase, update aborted by the reference-transaction hook)`)
	})
	failedFilter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^fatal: (.+): (clean|smudge) filter '?(.+?)'? failed$`)
	})
	gitLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(fatal|error|warning|hint): `) })
)

// ExitCode is that of a failed git command, 0 for any other error or none.
func ExitCode(err error) int {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.ExitCode
	}
	return 0
}
