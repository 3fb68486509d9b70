package author

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"
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
			if got := enginetest.Refusal(err); !strings.HasPrefix(got, "state | chant show "+id) {
				t.Errorf("%s: %q", status, got)
			}
			continue
		}
		after := enginetest.Read(t, dir, store.SpecPath(id))
		if err != nil || !r.Criterion.Checked || r.Criterion.Number != 3 || r.Open != 0 || after != strings.Replace(before, "[ ] a third", "[x] a third", 1) {
			t.Errorf("%s: %+v, %v\n%s", status, r, err, after)
		}
		if r, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: r.Criterion.ID, Uncheck: true}); err != nil || r.Criterion.Checked || r.Open != 1 || enginetest.Read(t, dir, store.SpecPath(id)) != before {
			t.Errorf("%s, back: %+v, %v", status, r, err)
		}
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
		if got := undoStep(s).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
