package gitops

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestRelativeTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ folder, file, want string }{
		{"", "a/b.go", "a/b.go"},
		{"services/api", "services/api/.chant/specs/a.md", ".chant/specs/a.md"},
		{"services/api", "services/api", "."},
		{"services/api", "services", ".."},
		{"services/api", "services/web/a.go", "../web/a.go"},
		{"services/api", "services/api2/a.go", "../api2/a.go"},
		{"services/api", "lib/a.go", "../../lib/a.go"},
		{"services/api", "", ""},
	} {
		got := RelativeTo(c.folder, c.file)
		assert.Equal(t, c.want, got, "%q seen from %q", c.file, c.folder)
		if c.file != "" {
			r := &Repo{folder: c.folder}
			assert.Equal(t, c.file, r.FromTop(got), "%q seen from %q, and back", c.file, c.folder)
		}
	}
}
