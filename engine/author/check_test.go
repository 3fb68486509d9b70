package author

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestCheck changes only the box that is named by number or id, in every status except completed, and refuses a
// criterion whose box is the result of a command.
func TestCheck(t *testing.T) {
	t.Parallel()
	specs := map[string]string{}
	for i, status := range spec.StatusWords() {
		specs[numbered(fmt.Sprintf("%03d", i+1))] = "---\nstatus: " + status + "\n---\n" + enginetest.StrictBody + "- [ ] a third\n"
	}
	p, dir := filed(t, specs)
	for i, status := range spec.StatusWords() {
		id := numbered(fmt.Sprintf("%03d", i+1))
		before := enginetest.Read(t, dir, store.SpecPath(id))
		r, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: "3"})
		if status == string(spec.Completed) {
			assert.HasPrefix(t, enginetest.Refusal(err), "state | chant show "+id, "%s", status)
			continue
		}
		after := enginetest.Read(t, dir, store.SpecPath(id))
		assert.NoError(t, err, "%s", status)
		assert.True(t, r.Criterion.Checked, "%s: %+v, %v\n%s", status, r, err, after)
		assert.Equal(t, 3, r.Criterion.Number, "%s", status)
		assert.Equal(t, 0, r.Open, "%s", status)
		assert.Equal(t, strings.Replace(before, "[ ] a third", "[x] a third", 1), after, "%s", status)
		r, err = Check(t.Context(), p, CheckInput{ID: id, Criterion: r.Criterion.ID, Uncheck: true})
		assert.NoError(t, err, "%s, back", status)
		assert.False(t, r.Criterion.Checked, "%s, back: %+v, %v", status, r, err)
		assert.Equal(t, 1, r.Open, "%s, back", status)
		assert.Equal(t, before, enginetest.Read(t, dir, store.SpecPath(id)), "%s, back", status)
	}
	id := numbered("001")
	for criterion, want := range map[string]string{
		"2": "state | chant verify " + id + " | criterion 2 is checked by running `test -f never`; its box is a result",
		"4": "not_found | chant show " + id + ` | spec "` + id + `" has no criterion "4"`,
		"0": "not_found |", "-1": "not_found |", "": "not_found |", "a claim": "not_found |",
	} {
		if _, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: criterion}); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%q: %q, want %q", criterion, enginetest.Refusal(err), want)
		}
	}
}

// TestUndoStep: a completed run that has not landed can be dropped; after landing there is no such step.
func TestUndoStep(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]*spec.Spec{
		"chant reset 001": {ID: "001", Branch: "chant/001"},
		"chant show 001":  {ID: "001"},
		"chant show 002":  {ID: "002", Branch: "chant/002", Landed: true},
	} {
		assert.Equal(t, want, undoStep(s).String())
	}
}
