package view

import (
	"testing"

	"chant/engine/author/planning"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestStatus_plans lists plans that wait for a decision, those that are not done, and those that cannot be read. One whose file
// is gone is nothing to report.
func TestStatus_plans(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	one := func(status, plan string) string {
		return "---\nstatus: " + status + "\neffort: 2h\ncontext: [docs/a.md, .chant/plans/" + plan + ".md]\n---\n# Do\n"
	}
	doc := func(status, specs string) string {
		return "---\nstatus: " + status + "\ncreated: 2026-01-02T00:00:00Z\nspecs: [" + specs + "]\n---\n# Both\n"
	}
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + n(1) + ".md": one("completed", "open"), ".chant/specs/" + n(2) + ".md": one("failed", "open"),
		".chant/specs/" + n(3) + ".md": one("completed", "done"), ".chant/specs/" + n(4) + ".md": one("cancelled", "done"),
		".chant/specs/" + n(5) + ".md": one("pending", "gone"), ".chant/specs/" + n(6) + ".md": one("pending", "broken"),
		".chant/plans/open.md": doc("accepted", n(1)+", "+n(2)), ".chant/plans/done.md": doc("accepted", n(3)+", "+n(4)),
		".chant/plans/broken.md": doc("odd", n(6)),
	})
	enginetest.Git(t, dir, "checkout", "-q", "-b", "chant-plan/waits")
	enginetest.Commit(t, dir, map[string]string{".chant/plans/waits.md": doc("draft", n(9)), ".chant/specs/" + n(9) + ".md": "---\nstatus: pending\n---\n# Later\n"})
	enginetest.Git(t, dir, "checkout", "-q", "main")
	// A branch of a person, which has no plan.
	enginetest.Git(t, dir, "branch", "chant-plan/empty")
	want := []string{
		"plan waits: draft, 1 spec",
		"plan open: 1 of 2 done, estimate 4.00h", `plan broken: invalid: .chant/plans/broken.md:2: status "odd" is none of drafting, draft, accepted and dropped`,
	}
	check := func(got []planning.Summary) {
		t.Helper()
		assert.Equal(t, len(want), len(got), "%v", got)
		for i, plan := range got {
			assert.HasPrefix(t, plan.String(), want[i])
		}
	}
	status, err := Status(t.Context(), p, StatusInput{})
	assert.NoError(t, err)
	check(status.Plans)
	board, err := Board(t.Context(), p, BoardInput{})
	assert.NoError(t, err)
	check(board.Plans)
	assert.Contains(t, board.Line(), want[1])
	all, err := StatusAll(t.Context(), p, StatusInput{Scope: Scope{Global: true}})
	assert.NoError(t, err)
	assert.Equal(t, len(want), len(all.Plans))
}
