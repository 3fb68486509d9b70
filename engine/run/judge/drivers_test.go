package judge_test

import (
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

const driverID = "2026-01-02-001"

// driver is a driver with these checks of its own.
func driver(front, body string) string {
	return "---\ntype: driver\nstatus: pending" + front + "\n---\n# The whole\n\n" + body
}

// TestLand_driver completes a driver with the last of its members, in the same merge, where its own checks hold.
func TestLand_driver(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		status spec.Status
		words  string
	}{
		"without checks":  {driver("", "Parts.\n"), spec.Completed, ""},
		"that hold":       {driver("", "## Acceptance Criteria\n\n- [ ] The part is there `$ test -f done.txt`\n"), spec.Completed, ""},
		"that do not":     {driver("", "## Acceptance Criteria\n\n- [ ] More is there `$ test -f more.txt`\n"), spec.NeedsAttention, "does not hold"},
		"that spoil":      {driver("", "## Acceptance Criteria\n\n- [ ] It changes files `$ echo x > done.txt`\n"), spec.NeedsAttention, ""},
		"a member's tick": {driver("", "## Acceptance Criteria\n\n- [ ] A person has looked\n"), spec.NeedsAttention, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			path := ".chant/specs/" + driverID + "-drv.md"
			member := strings.Replace(runtest.Plain, "status: pending", "status: pending", 1)
			enginetest.Commit(t, dir, map[string]string{path: strings.Replace(tc.text, "type: driver", "type: driver\nmembers: ["+runtest.ID+"]", 1)})
			r := runtest.Of(t, p, dir, member)
			r.Agent(map[string]string{"done.txt": "yes\n"})
			r.Completed()
			assert.NoError(t, r.Lands())
			assert.Equal(t, "yes\n", r.Target("done.txt"), "the member has not landed")
			got := r.Target(path)
			assert.Contains(t, got, "status: "+string(tc.status), "the driver is, want %s:", tc.status)
			assert.Contains(t, got, tc.words, "the driver is, want %s:", tc.status)
			assert.Equal(t, "1", r.Git("rev-list", "--count", "--first-parent", "--merges", "main"))
			assert.Equal(t, "", r.Git("status", "--porcelain"))
		})
	}
}

// TestLand_driverHeld lands no part of a whole that people have rejected or have yet to approve.
func TestLand_driverHeld(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		approval string
		kind     spec.ReasonCode
	}{
		"rejected": {"\napproval:\n  status: rejected\n  by: Ada", spec.ReasonWithdrawn},
		"awaited":  {"\napproval:\n  required: true\n  status: pending", spec.ReasonUnapproved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Agent(map[string]string{"done.txt": "yes\n"})
			r.Completed()
			enginetest.Commit(t, r.Dir, map[string]string{".chant/specs/" + driverID + "-drv.md": strings.Replace(driver(tc.approval, "Parts.\n"), "type: driver", "type: driver\nmembers: ["+runtest.ID+"]", 1)})
			r.Fails(r.Lands(), tc.kind, "is a part of")
			assert.Equal(t, "", r.Target("done.txt"), "it has landed")
		})
	}
}
