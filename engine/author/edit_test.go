package author

import (
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestEdit replaces only the text that was edited, and never changes the status.
func TestEdit(t *testing.T) {
	t.Parallel()
	id, old := enginetest.StrictID, "---\nstatus: paused\n---\n"+enginetest.StrictBody
	for name, tc := range map[string]struct {
		old, new string
		want     string // of the refusal
	}{
		"a text":              {old, old + "\nMore.\n", ""},
		"criteria":            {old, strings.Replace(old, "a claim", "another", 1), ""},
		"nothing":             {old, old, ""},
		"the status":          {old, strings.Replace(old, "paused", "completed", 1), "state | chant show " + id + ` | an edit cannot change the status of spec "` + id + `" from paused to completed`},
		"an unknown status":   {old, strings.Replace(old, "paused", "resting", 1), "invalid | chant edit " + id},
		"a broken text":       {old, "---\nstatus: [\n---\n", "invalid | chant edit " + id},
		"of an older text":    {old + "x", old + "y", "conflict |"},
		"of a broken file":    {"---\nstatus: [\n---\n", old + "y", "conflict |"},
		"an empty text":       {old, "", "state |"},
		"no front matter":     {old, enginetest.StrictBody, "state |"},
		"a list in its place": {old, strings.Replace(old, "status: paused", "status: paused\nlabels: {a: b}", 1), "invalid |"},
	} {
		p, dir := enginetest.SpecAt(t, "paused", enginetest.StrictBody)
		before := enginetest.StateOf(t, dir)
		r, err := Edit(t.Context(), p, EditInput{ID: id, Old: []byte(tc.old), New: []byte(tc.new)})
		got := enginetest.Refusal(err)
		if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
			continue
		}
		assert.False(t, tc.want != "" && enginetest.StateOf(t, dir) != before, "%s: a refusal has changed something", name)
		if tc.want == "" && (enginetest.Read(t, dir, store.SpecPath(id)) != tc.new || (r.Commit != "") != (tc.new != tc.old) || r.Status != spec.Paused) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestEdit_invalid fixes a file that cannot be read.
func TestEdit_invalid(t *testing.T) {
	t.Parallel()
	broken := "---\nstatus: [\n---\n# A\n"
	p, dir := filed(t, map[string]string{enginetest.StrictID: broken})
	src, err := Source(t.Context(), p, enginetest.StrictID)
	assert.NoError(t, err)
	assert.Equal(t, broken, string(src.Text))
	r, err := Edit(t.Context(), p, EditInput{ID: enginetest.StrictID, Old: src.Text, New: []byte(with("status: pending\n"))})
	assert.NoError(t, err)
	assert.NotEqual(t, "", r.Commit)
	assert.Equal(t, with("status: pending\n"), enginetest.Read(t, dir, store.SpecPath(enginetest.StrictID)))
}
