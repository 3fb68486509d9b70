package bench

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says on what the figures were measured.
type machine struct {
	Cores int    `json:"cores"`
	CPU   string `json:"cpu"`
	OS    string `json:"os"`
	Go    string `json:"go"`
	Git   string `json:"git"`
	Files string `json:"files"` // where the projects are
}

// String is the machine in one line.
func (m machine) String() string {
	return fmt.Sprintf("%d cores, %s, %s, %s, git %s, files in %s", m.Cores, m.CPU, m.OS, m.Go, m.Git, m.Files)
}

func thisMachine() machine {
	m := machine{Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Files: "the folder for temporary files"}
	if folder := memoryFolder(); folder != "" && os.TempDir() == folder {
		m.Files = "memory"
	}
	if out, err := exec.Command("git", "version").Output(); err == nil {
		m.Git = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		m.CPU = after(string(text), "model name")
	} else if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		m.CPU = strings.TrimSpace(string(out))
	}
	if text, err := os.ReadFile("/etc/os-release"); err == nil {
		m.OS += ", " + strings.Trim(cmp.Or(after(string(text), "PRETTY_NAME"), "unknown"), `"`)
	}
	m.CPU = cmp.Or(m.CPU, "unknown")
	return m
}

// after returns what follows a key and ":" or "=" on its line, "" if the key is missing.
func after(text, key string) string {
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, key); found {
			return strings.TrimSpace(strings.TrimLeft(rest, " \t:="))
		}
	}
	return ""
}
