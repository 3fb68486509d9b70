package console

import (
	"runtime/debug"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestBuildOf has the builds that people have: of a tag, of a commit with and without changes, by "go install" of a version,
// and without any of that.
func TestBuildOf(t *testing.T) {
	t.Parallel()
	const commit = "3d0070ab5c1e9d0c2b7f4a6e8d1c3b5a79860f12"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.time", Value: "2026-11-28T23:52:34Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for name, c := range map[string]struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		"nothing":         {"", nil, "0.1.0"},
		"no repository":   {"(devel)", nil, "0.1.0"},
		"a commit":        {"v0.0.0-20261128235234-3d0070ab5c1e", vcs("false"), "0.1.0+3d0070ab5c1e"},
		"behind a tag":    {"v0.2.1-0.20261128235234-3d0070ab5c1e+dirty", vcs("true"), "0.1.0+3d0070ab5c1e.modified"},
		"older Go":        {"(devel)", vcs("true"), "0.1.0+3d0070ab5c1e.modified"},
		"a tag":           {"v0.2.0", vcs("false"), "0.2.0+3d0070ab5c1e"},
		"a changed tag":   {"v0.2.0+dirty", vcs("true"), "0.2.0+3d0070ab5c1e.modified"},
		"a module":        {"v0.2.0", nil, "0.2.0"},
		"a pseudo-module": {"v0.2.1-0.20261128235234-3d0070ab5c1e", nil, "0.2.1-0.20261128235234-3d0070ab5c1e"},
	} {
		info := &debug.BuildInfo{Settings: c.settings}
		info.Main.Version = c.version
		assert.Equal(t, c.want, buildOf(info).String(), "%s", name)
	}
	assert.Equal(t, "0.1.0", buildOf(nil).String())
}
