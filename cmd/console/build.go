package console

import (
	"runtime/debug"
	"strings"
	"sync"
)

// Version is that of a build without a tag. The linker sets it for a release that is built from an archive, which has no tags:
// -ldflags "-X chant/cmd/console.Version=0.2.0".
var Version = "0.1.0"

// Build says which chant a program is.
type Build struct {
	Version  string `json:"version"`            // the tag, or Version
	Commit   string `json:"commit,omitempty"`   // of the source, "" if the build does not know it
	Date     string `json:"date,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the source had changes that were in no commit
}

// ThisBuild describes this program.
var ThisBuild = sync.OnceValue(func() Build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info)
})

// buildOf reads what the Go command has recorded, which is nothing for tests (nil also for other compilers).
func buildOf(info *debug.BuildInfo) Build {
	b := Build{Version: Version}
	if info == nil {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	// A build between tags has a pseudo-version of the date and the commit, which distinguish it.
	version, _, _ := strings.Cut(strings.TrimPrefix(info.Main.Version, "v"), "+")
	if version != "" && version != "(devel)" && (b.Commit == "" || !strings.Contains(version, b.Commit[:min(len(b.Commit), 12)])) {
		b.Version = version
	}
	return b
}

// String is the version with the beginning of the commit as build metadata: 0.1.0+3d0070ab5c1e.modified.
func (b Build) String() string {
	if b.Commit == "" {
		return b.Version
	}
	text := b.Version + "+" + b.Commit[:min(len(b.Commit), 12)]
	if b.Modified {
		text += ".modified"
	}
	return text
}
