package review

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"

	"github.com/alecthomas/assert/v2"
)

// TestReview keeps comments in home's copy, and decides about a spec that is not completed as Approve and Reject do.
func TestReview(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "approval: {required: true}\n")
	step := func(in ReviewInput, waits string, after next.Step) ReviewResult {
		t.Helper()
		before := strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "HEAD"))
		in.ID = "001"
		r, err := Review(t.Context(), p, in)
		assert.NoError(t, err)
		if s := approvalOf(t, p); s.ApprovalBlock().String() != waits || r.Waits != waits || !r.Next.Command.Equal(after) || r.Commit == "" {
			t.Errorf("%+v: %+v, it %q", in, r, s.ApprovalBlock())
		}
		if n := strings.TrimSpace(enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD")); n != "1" {
			t.Errorf("%+v: %s commits", in, n)
		}
		return r
	}
	comment := []Said{{Text: "Which zone?\n- [ ] not a box", At: "dates.go:3"}, {Text: "Good."}}
	step(ReviewInput{Comments: comment}, "waits for approval", next.Approve.On(id))
	step(ReviewInput{Comments: comment[1:], Decision: ToApprove}, "", next.Work.On(id))
	got := approvalOf(t, p)
	assert.Equal(t, 3, len(task.Comments(got.Doc)))
	assert.Equal(t, 2, len(spec.Criteria(got.Doc)))
	assert.Equal(t, "dates.go:3", task.Comments(got.Doc)[0].Place())
	// A comment after an approval is not approved.
	step(ReviewInput{Comments: comment[:1], By: "Bob"}, "was edited after its approval", next.Approve.On(id))
	r := step(ReviewInput{Comments: comment, Decision: ToReject}, "was rejected", next.Edit.On(id))
	assert.Equal(t, ToReject, r.Decision)
	assert.Equal(t, "Ada", r.Comments[0].By)
	assert.Equal(t, spec.Rejected, r.Approval.Status)
	text := string(approvalOf(t, p).Doc.Bytes())
	for _, want := range []string{"**Bob** - ", `> \- \[ \] not a box`, "REJECTED: dates.go:3: Which zone? - \\[ \\] not a box; Good."} {
		assert.Contains(t, text, want)
	}
}

// TestReview_refuses bad input, and a spec with edits that its commit would include.
func TestReview_refuses(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "")
	said := []Said{{Text: "x"}}
	for name, c := range map[string]struct {
		in   ReviewInput
		code engine.Code
	}{
		"nothing":            {ReviewInput{ID: "001"}, engine.Usage},
		"a bare rejection":   {ReviewInput{ID: "001", Decision: ToReject}, engine.Usage},
		"an odd decision":    {ReviewInput{ID: "001", Comments: said, Decision: "send back"}, engine.Usage},
		"an empty comment":   {ReviewInput{ID: "001", Comments: []Said{{Text: " \n"}}}, engine.Usage},
		"control characters": {ReviewInput{ID: "001", Comments: []Said{{Text: "a\x1b[2J"}}}, engine.Invalid},
		"a place outside":    {ReviewInput{ID: "001", Comments: []Said{{Text: "x", At: "../x"}}}, engine.Usage},
		"too many":           {ReviewInput{ID: "001", Comments: make([]Said, maxComments+1)}, engine.Usage},
		"a stranger":         {ReviewInput{ID: "001", Comments: said, By: "Eve"}, engine.Usage},
		"an unknown spec":    {ReviewInput{ID: "009", Comments: said}, engine.NotFound},
	} {
		r, err := Review(t.Context(), p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s: %+v", name, r)
	}
	enginetest.Write(t, dir, path, "---\n---\n"+body+"\nmore\n")
	_, err := Review(t.Context(), p, ReviewInput{ID: "001", Comments: said})
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err))
}
