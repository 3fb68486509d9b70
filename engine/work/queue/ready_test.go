package queue

import (
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// hold takes the lock of a spec as another process would, until the test ends.
func hold(t *testing.T, p *engine.Project, id string) {
	t.Helper()
	lock, err := lockfile.Acquire(p.Store.LockPath(id), "work "+id)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, lock.Release()) })
}

// TestCrew_tasks lists what could start, except specs of other processes, and nothing once a limit is reached.
func TestCrew_tasks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*pool)
		want   string
	}{
		"all ready ones":           {func(*pool) {}, numbered(1) + " " + numbered(7) + ".1"},
		"one was worked elsewhere": {func(k *pool) { k.elsewhere[numbered(1)], k.scope.stopped[numbered(1)] = true, true }, numbered(7) + ".1"},
		"a limit was reached":      {func(k *pool) { k.p.Config.Limits.Run.Time = time.Minute }, ""},
	} {
		p := queued(t)
		k := newPool(p, WorkAllInput{All: true}, &scope{rank: map[string]int{}, all: true, stopped: map[string]bool{}})
		c.change(k)
		began := p.Now()
		k.p.Now = func() time.Time { return began.Add(time.Minute) }
		tasks, err := k.tasks(t.Context())
		var ids []string
		for _, task := range tasks {
			ids = append(ids, task.ID)
		}
		got := strings.Join(ids, " ")
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
	}
}

// TestCrew_limitReached warns of a limit once, however often it is asked.
func TestCrew_limitReached(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	var warned []string
	k.p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
	reached, err := k.limitReached()
	assert.False(t, reached, "without a limit: %t, %v, %q", reached, err, k.limit)
	assert.NoError(t, err, "without a limit")
	assert.Equal(t, "", k.limit, "without a limit")
	began := k.p.Now()
	k.p.Config.Limits.Run.Time = time.Minute
	k.p.Now = func() time.Time { return began.Add(2 * time.Minute) }
	for range 2 {
		reached, err := k.limitReached()
		assert.True(t, reached, "%t, %v", reached, err)
		assert.NoError(t, err)
	}
	want := "time limit of the run reached: 2m0s of 1m0s"
	assert.Equal(t, want, k.limit)
	assert.Equal(t, []string{want + ": nothing more starts"}, warned)
}

// TestCrew_isTaken: a spec that another process had is left to it while it holds the lock, and for good if the run was
// stopped when the spec was named.
func TestCrew_isTaken(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	hold(t, k.p, "held")
	for _, id := range []string{"held", "released", "stopped"} {
		k.elsewhere[id] = true
	}
	k.scope.stopped["stopped"] = true
	for id, want := range map[string]bool{"held": true, "released": false, "stopped": true, "never": false} {
		assert.Equal(t, want, k.isTaken(id), "%s", id)
	}
}

// TestCrew_waitsForFiles holds a task back while another process works on one of its files.
func TestCrew_waitsForFiles(t *testing.T) {
	t.Parallel()
	busy := []*spec.Spec{{ID: "busy", Fields: spec.Fields{TargetFiles: spec.StringList{"src/a.go", "docs"}}}}
	for name, c := range map[string]struct {
		task schedule.Task
		want bool
	}{
		"the same file":      {schedule.Task{ID: "a", Files: []string{"src/a.go"}}, true},
		"a file in a folder": {schedule.Task{ID: "a", Files: []string{"docs/b.md"}}, true},
		"other files":        {schedule.Task{ID: "a", Files: []string{"src/b.go"}}, false},
		"no files":           {schedule.Task{ID: "a"}, false},
		"the spec itself":    {schedule.Task{ID: "busy", Files: []string{"docs"}}, false},
	} {
		k := crewOf(t)
		assert.Equal(t, c.want, k.waitsForFiles(c.task, busy), "%s", name)
		assert.Equal(t, c.want, k.held["a"] == "busy", "%s", name)
	}
}

// TestCrew_busySpecs: only another process that works on a spec with target files keeps its files.
func TestCrew_busySpecs(t *testing.T) {
	t.Parallel()
	files := spec.Fields{TargetFiles: spec.StringList{"src"}}
	g := spec.NewGraph([]*spec.Spec{
		{ID: "busy", Status: spec.InProgress, Branch: "chant/busy", Fields: files},
		{ID: "here", Status: spec.InProgress, Branch: "chant/here", Fields: files},
		{ID: "dead", Status: spec.InProgress, Branch: "chant/dead", Fields: files},
		{ID: "bare", Status: spec.InProgress, Branch: "chant/bare"},
		{ID: "home", Status: spec.InProgress, Fields: files},
		{ID: "done", Status: spec.Completed, Branch: "chant/done", Fields: files},
	}, nil)
	for _, overlap := range []bool{false, true} {
		k := crewOf(t)
		for _, id := range []string{"busy", "here", "bare", "home", "done"} {
			hold(t, k.p, id)
		}
		k.here["here"], k.in.AllowOverlap = k.p.Now(), overlap
		var got []string
		for _, s := range k.busySpecs(g) {
			got = append(got, s.ID)
		}
		text := strings.Join(got, " ")
		assert.NotEqual(t, overlap, text == "busy")
		assert.False(t, overlap && text != "", "overlap allowed %t: %q", overlap, text)
	}
}

// TestCrew_providerOf: a spec may name its provider, unless the command names one for all.
func TestCrew_providerOf(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	s := &spec.Spec{ID: "a", Fields: spec.Fields{Provider: "codex"}}
	got, err := k.providerOf(t.Context(), s)
	assert.Equal(t, "codex", got)
	assert.NoError(t, err)
	k.in.Provider = "claude"
	got, err = k.providerOf(t.Context(), s)
	assert.Equal(t, "", got, "with one for all")
	assert.NoError(t, err, "with one for all")
}

// TestCrew_nextTasks completes a driver whose members are all done before it lists what could start, and tries that
// once.
func TestCrew_nextTasks(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	at := func(n string) string { return ".chant/specs/" + numbered(1) + n + ".md" }
	enginetest.Commit(t, dir, map[string]string{
		at(""):                                  "---\ntype: driver\nstatus: pending\n---\n# Driver\n",
		at(".1"):                                "---\nstatus: completed\n---\n# Member\n",
		".chant/specs/" + numbered(2) + ".md":   "---\nstatus: pending\ndepends_on: [" + numbered(1) + "]\n---\n# A\n",
		".chant/specs/" + numbered(3) + ".md":   "---\ntype: driver\nstatus: pending\n---\n# Failing\n\n## Acceptance Criteria\n\n- [ ] not ticked\n",
		".chant/specs/" + numbered(3) + ".1.md": "---\nstatus: completed\n---\n# Member\n",
	})
	k := newPool(p, WorkAllInput{All: true}, &scope{rank: map[string]int{}, all: true, stopped: map[string]bool{}})
	for range 2 {
		tasks, err := k.nextTasks(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, 1, len(tasks))
		assert.Equal(t, numbered(2), tasks[0].ID)
		assert.Equal(t, 1, len(k.completed))
		assert.Equal(t, numbered(1), k.completed[0].ID)
		assert.Equal(t, 1, len(k.failed))
		assert.Equal(t, numbered(3), k.failed[0].ID)
		assert.Equal(t, engine.Unverified, k.failed[0].Code)
	}
}
