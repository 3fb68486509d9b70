package archive

import (
	"errors"
	"io/fs"
	"maps"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

func TestPath_byTheDayInTheID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"2026-11-20-001-abc":            "archive/2026-11-20/2026-11-20-001-abc.md",
		"2026-11-20-001-abc.2.1":        "archive/2026-11-20/2026-11-20-001-abc.2.1.md",
		"web-2026-11-20-001-abc":        "archive/2026-11-20/web-2026-11-20-001-abc.md",
		"tidy-up":                       "archive/undated/tidy-up.md",
		"2026-11-2":                     "archive/undated/2026-11-2.md",
		"2026-11-20-for-2026-11-21-abc": "archive/2026-11-20/2026-11-20-for-2026-11-21-abc.md",
	} {
		got := Path(id)
		assert.Equal(t, want, got, "%q belongs", id)
		assert.True(t, fs.ValidPath(got), "%q belongs to %q, want %q", id, got, want)
	}
}

func TestPlan_oneMoveEach(t *testing.T) {
	t.Parallel()
	got := Plan([]string{"b", "2026-11-20-001-abc"})
	want := []Move{
		{"b", "specs/b.md", "archive/undated/b.md"},
		{"2026-11-20-001-abc", "specs/2026-11-20-001-abc.md", "archive/2026-11-20/2026-11-20-001-abc.md"},
	}
	assert.Equal(t, want, got)
	got = Plan(nil)
	assert.Zero(t, got, "nothing to move: %+v", got)
}

// tree returns a `.chant` folder with empty files at these paths.
func tree(paths ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, p := range paths {
		fsys[p] = &fstest.MapFile{}
	}
	return fsys
}

func TestIndex_findsWhereverItLies(t *testing.T) {
	t.Parallel()
	const (
		id    = "2026-11-20-001-abc"
		file  = id + ".md"
		dated = "archive/2026-11-20/" + file
	)
	for name, c := range map[string]struct {
		fsys fstest.MapFS
		want map[string]string
	}{
		"no archive":         {tree("specs/a.md"), nil},
		"empty":              {fstest.MapFS{"archive": {Mode: fs.ModeDir}}, nil},
		"a file of the name": {tree("archive"), nil},
		"dated":              {tree(dated, "archive/2026-11-20/"+id+".1.md"), map[string]string{id: dated, id + ".1": "archive/2026-11-20/" + id + ".1.md"}},
		"flat":               {tree("archive/" + file), map[string]string{id: "archive/" + file}},
		"undated":            {tree("archive/undated/tidy.md"), map[string]string{"tidy": "archive/undated/tidy.md"}},
		"deep":               {tree("archive/2026/11/" + file), map[string]string{id: "archive/2026/11/" + file}},
		"both":               {tree("archive/"+file, dated), map[string]string{id: dated}},
		"both, earlier day":  {tree("archive/"+file, "archive/2026-11-19/"+file), map[string]string{id: "archive/2026-11-19/" + file}},
		"both, later day":    {tree("archive/"+file, "archive/2026-11-21/"+file), map[string]string{id: "archive/2026-11-21/" + file}},
		"own day, wrong day": {tree(dated, "archive/2026-11-19/"+file, "archive/2026-11-21/"+file), map[string]string{id: dated}},
		"no specs":           {tree("archive/.hidden.md", "archive/README.txt", "archive/2026-11-20/.md", "archive/x.md/notes.txt"), nil},
	} {
		got, err := Index(c.fsys)
		assert.NoError(t, err, "%s", name)
		assert.True(t, got != nil, "%s: %v, %v; want %v", name, got, err, c.want)
		assert.True(t, maps.Equal(got, c.want), "%s: got %v, want %v", name, got, c.want)
	}
}

func TestFind_whichFileCounts(t *testing.T) {
	t.Parallel()
	const (
		id     = "2026-11-20-001-abc"
		file   = id + ".md"
		active = "specs/" + file
		dated  = "archive/2026-11-20/" + file
		flat   = "archive/" + file
		odd    = "archive/2026/11/" + file
	)
	for name, c := range map[string]struct {
		fsys fstest.MapFS
		want string // "" for fs.ErrNotExist
	}{
		"nowhere":               {tree("specs/other.md"), ""},
		"no folders":            {fstest.MapFS{}, ""},
		"active":                {tree(active), active},
		"archived":              {tree(dated), dated},
		"flat":                  {tree(flat), flat},
		"in another folder":     {tree(odd), odd},
		"active and archived":   {tree(dated, flat, active), active},
		"dated and flat":        {tree(flat, dated), dated},
		"flat and in another":   {tree(flat, odd), odd},
		"a folder of that name": {tree(active+"/notes.txt", flat), flat},
	} {
		got, err := Find(c.fsys, id)
		assert.Equal(t, c.want, got, "%s", name)
		assert.Equal(t, c.want == "", errors.Is(err, fs.ErrNotExist), "%s", name)
		assert.False(t, c.want != "" && err != nil, "%s: %q, %v; want %q", name, got, err, c.want)
	}
	got, err := Find(brokenFS{tree("archive/a.md")}, id)
	assert.IsError(t, err, errDisk, "the error is lost: %q", got)
}

func TestPlaces_areFound(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"2026-11-20-001-abc", "tidy-up"} {
		places := Places(id)
		for i, name := range places {
			got, err := Find(tree(places[i:]...), id)
			assert.NoError(t, err, "of %q", places[i:])
			assert.Equal(t, name, got, "of %q", places[i:])
			of, archived := Archived(name)
			assert.Equal(t, i > 0, archived, "%q", name)
			assert.False(t, archived && of != id, "%q: %q, %v", name, of, archived)
		}
	}
	for _, name := range []string{"archive", "archive/.md", "archive/.x.md", "archive/a.txt", "specs/archive/a.md", "archived/a.md", ""} {
		id, ok := Archived(name)
		assert.False(t, ok, "%q is taken for the archived spec %q", name, id)
	}
}

// brokenFS cannot list its folders.
type brokenFS struct{ fstest.MapFS }

var errDisk = errors.New("disk is gone")

func (b brokenFS) ReadDir(string) ([]fs.DirEntry, error) { return nil, errDisk }

func TestIndex_unreadable(t *testing.T) {
	t.Parallel()
	_, err := Index(brokenFS{tree("archive/a.md")})
	assert.IsError(t, err, errDisk, "the error is lost")
}
