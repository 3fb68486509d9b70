package local

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestBranchPrefix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ named, folder, want string }{
		{"chant/", "", "chant/"},
		{"chant/", "web", "chant-web/"},
		{"chant/", "services/api", "chant-services+api/"},
		{"chant/", "services+api", "chant-services%2Bapi/"},
		{"runs/", "a b/c~1", "runs-a%20b+c%7E1/"},
		{"chant/", ".hidden/x..y/z.lock", "chant-%2Ehidden+x.%2Ey+z%2Elock/"},
		{"chant/", "v1.2/end.", "chant-v1.2+end%2E/"},
	} {
		assert.Equal(t, c.want, BranchPrefix(c.named, c.folder), "%q in %q", c.named, c.folder)
	}
}

func TestFilesOf_nothingInCommon(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	other := FilesOf(p.common, p.home, "services/api")
	for _, kind := range []Kind{Runs, Locks, Numbers, Writes, Questions} {
		assert.NotEqual(t, p.LocalPath(kind, idA), other.LocalPath(kind, idA))
	}
	_, err := other.Append(idA, map[string]string{"step": "run"})
	assert.NoError(t, err)
	all := p.EachProject()
	assert.Equal(t, 2, len(all))
	lines, err := all[1].Records(idA)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(lines))
}
