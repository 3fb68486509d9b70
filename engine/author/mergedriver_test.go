package author

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestMergeDriver merges a spec by its fields: a change of only one side is accepted, and changes of both sides are
// left to a person, with the conflict marked in the file.
func TestMergeDriver(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	base := "---\nstatus: pending\nlabels: [a]\n---\n# A\n\nText.\n"
	for name, tc := range map[string]struct {
		ours, theirs string
		want         string // of the file, "" where it has marks
		code         engine.Code
	}{
		"one side each": {strings.Replace(base, "labels: [a]", "labels: [b]", 1), strings.Replace(base, "Text.", "More.", 1), "---\nstatus: pending\nlabels: [b]\n---\n# A\n\nMore.\n", ""},
		"the same":      {strings.Replace(base, "Text.", "More.", 1), strings.Replace(base, "Text.", "More.", 1), strings.Replace(base, "Text.", "More.", 1), ""},
		"nothing":       {base, base, base, ""},
		"the same line": {strings.Replace(base, "Text.", "Ours.", 1), strings.Replace(base, "Text.", "Theirs.", 1), "", engine.Conflict},
		"only one side changed an unreadable front matter": {strings.Replace(base, "pending", "[", 1), strings.Replace(base, "Text.", "More.", 1), "---\nstatus: [\nlabels: [a]\n---\n# A\n\nMore.\n", ""},
		"unreadable": {strings.Replace(base, "pending", "[", 1), strings.Replace(base, "[a]", "[b]", 1), "", engine.Conflict},
	} {
		at := t.TempDir()
		for file, text := range map[string]string{"base": base, "ours": tc.ours, "theirs": tc.theirs} {
			enginetest.Write(t, at, file, text)
		}
		in := MergeDriverInput{Base: filepath.Join(at, "base"), Ours: filepath.Join(at, "ours"), Theirs: filepath.Join(at, "theirs"), Path: ".chant/specs/001.md"}
		err := MergeDriver(t.Context(), dir, in)
		got := enginetest.Read(t, at, "ours")
		assert.Equal(t, tc.code, enginetest.CodeOf(t, err), "%s", name)
		assert.False(t, tc.want != "" && got != tc.want, "%s: %v\n%s", name, err, got)
		if name == "the same line" && !(strings.Contains(got, "<<<<<<<") && strings.Contains(got, "Ours.") && strings.Contains(got, "Theirs.")) {
			t.Errorf("%s: both sides have to be there:\n%s", name, got)
		}
		assert.NoError(t, os.Remove(in.Theirs))
		err = MergeDriver(t.Context(), dir, in)
		assert.Equal(t, engine.Internal, enginetest.CodeOf(t, err), "%s, with a file missing", name)
		assert.Equal(t, got, enginetest.Read(t, at, "ours"), "%s, with a file missing", name)
	}
}
