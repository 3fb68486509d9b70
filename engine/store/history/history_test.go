package history

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// sandbox is a repository whose clock moves by an hour with each commit.
type sandbox struct {
	t    *testing.T
	dir  string
	repo *gitops.Repo
	st   *store.Store
	hour int
}

func newSandbox(t *testing.T, use store.IndexUse) *sandbox {
	t.Helper()
	s := &sandbox{t: t, dir: t.TempDir()}
	s.git("init", "-q", "-b", "main")
	s.write("README.md", "hello\n")
	repo, err := gitops.Open(s.dir)
	assert.NoError(t, err)
	s.repo, s.st = repo, store.OpenRepository(repo, "chant/")
	s.st.Index = use
	return s
}

func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	at := fmt.Sprint(time.Date(2026, 11, 1, s.hour, 0, 0, 0, time.UTC).Unix(), " +0000")
	c := exec.CommandContext(s.t.Context(), "git", args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
		"GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at, "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *sandbox) write(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// commit commits everything one hour later, with trailers "id event …".
func (s *sandbox) commit(records ...string) {
	s.t.Helper()
	var trailers strings.Builder
	for _, r := range records {
		id, events, _ := strings.Cut(r, " ")
		fmt.Fprintf(&trailers, "Chant-Spec: %s\n", id)
		for event := range strings.FieldsSeq(events) {
			fmt.Fprintf(&trailers, "Chant-Event: %s\n", event)
		}
	}
	s.hour++
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "subject", "-m", trailers.String())
}

func fileOf(id string) string { return store.SpecPath(id) }

// all returns the histories without the ids of commits, as "hour events changes".
func (s *sandbox) all(ids ...string) map[string][]string {
	s.t.Helper()
	found, err := Find(s.t.Context(), s.st, s.repo, ids...)
	if err != nil {
		s.t.Fatal(err)
	}
	out := map[string][]string{}
	for id, entries := range found {
		for _, e := range entries {
			line := fmt.Sprint(e.At.Sub(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)).Hours())
			if len(e.Events) > 0 {
				line += " " + strings.Join(e.Events, ",")
			}
			for _, c := range e.Changes {
				line += fmt.Sprintf(" %s:%s>%s", c.Field, c.Old, c.New)
			}
			if e.Actor != "Ada" || len(e.Commit) != 40 {
				s.t.Errorf("%+v", e)
			}
			out[id] = append(out[id], line)
		}
	}
	return out
}

func (s *sandbox) want(id string, want ...string) {
	s.t.Helper()
	if got := s.all(id)[id]; !slices.Equal(got, want) {
		s.t.Errorf("history of %s:\n%s\nwant\n%s", id, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const (
	idA = "2026-11-01-001-aaa"
	idB = "2026-11-01-002-bbb"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, use := range []store.IndexUse{store.IndexAlways, store.IndexOff, store.IndexAuto} {
		t.Run("index "+string(use), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, use)
			s.want(idA) // before the first commit
			s.write(fileOf(idA), "---\nstatus: pending\n---\n# A\n")
			s.commit(idA + " add")
			s.want(idA, "1 add")
			s.write(fileOf(idA), "---\nstatus: completed\nlabels: [x, y]\n---\n# A\n")
			s.write(fileOf(idB), "---\nstatus: pending\n---\n# B\n")
			s.commit(idA+" start complete", idB+" add")
			s.write(fileOf(idB), "---\nstatus: pending\ncomments:\n- {date: d, text: hi}\n---\n# Bee\n\nText.\n")
			s.commit()
			s.want(idA, "1 add", "2 start,complete status:pending>completed labels:>x, y")
			s.want(idB, "2 add", "3 title:B>Bee description:>Text. comment:>hi")
			s.write("code.go", "package x\n")
			s.commit(idA + " land")
			s.want(idA, "1 add", "2 start,complete status:pending>completed labels:>x, y")
			s.write(".chant/archive/2026-11-01/"+idA+".md", "---\nstatus: completed\nlabels: [x, y]\n---\n# A\n")
			s.git("rm", "-q", fileOf(idA))
			s.commit(idA + " archive")
			s.want(idA, "1 add", "2 start,complete status:pending>completed labels:>x, y", "5 archive")
			s.write(".chant/archive/2026-11-01/"+idA+".md", "---\nstatus: completed\nlabels: [x]\n---\n# A\n")
			s.commit()
			s.want(idA, "1 add", "2 start,complete status:pending>completed labels:>x, y", "5 archive", "6 labels:x, y>x")
			s.want("missing")
		})
	}
}

// TestOf_rewritten follows a branch that lost commits, and another branch that is checked out.
func TestOf_rewritten(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	s.write(fileOf(idA), "---\npriority: 1\n---\n")
	s.commit()
	s.write(fileOf(idA), "---\npriority: 2\n---\n")
	s.commit()
	s.want(idA, "1", "2 priority:1>2")
	s.git("checkout", "-q", "-b", "other", "HEAD~1")
	s.want(idA, "1")
	s.write(fileOf(idB), "---\n---\n")
	s.commit()
	s.want(idB, "3")
	s.git("checkout", "-q", "main")
	s.want(idB)
	s.want(idA, "1", "2 priority:1>2")
	s.write(fileOf(idA), "---\npriority: 3\n---\n")
	s.git("commit", "-q", "--amend", "-am", "again")
	s.git("reflog", "expire", "--expire=now", "--all")
	s.git("gc", "-q", "--prune=now")
	s.want(idA, "1", "3 priority:1>3")
	s.hour = 9
	s.git("merge", "-q", "--no-ff", "-m", "merge", "other")
	s.want(idB, "3")
	s.want(idA, "1", "3 priority:1>3")
}

// TestOf_branch has the commits of a run that has not landed behind those of home.
func TestOf_branch(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	s.write(fileOf(idA), "---\nstatus: pending\n---\n")
	s.commit(idA + " add")
	s.git("checkout", "-q", "-b", "chant/"+idA)
	s.write(fileOf(idA), "---\nstatus: in_progress\n---\n")
	s.commit(idA + " start")
	s.git("checkout", "-q", "main")
	for range 2 {
		s.want(idA, "1 add", "2 start status:pending>in_progress")
	}
	s.write("code", "x")
	s.commit()
	s.want(idA, "1 add", "2 start status:pending>in_progress")
	s.git("branch", "-qD", "chant/"+idA)
	s.want(idA, "1 add")
}

func TestSpans(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	s.write(fileOf(idA), "---\ntask: X-1\n---\n")
	s.write(fileOf(idB), "---\ntask: X-2\n---\n")
	s.commit(idA+" import", idB+" import")
	s.write(fileOf(idB), "---\ntask: X-2\neffort: 1h\n---\n")
	s.commit(idB + " update")
	spans, err := Spans(t.Context(), s.st, s.repo, idA, idB, "missing")
	at := func(hour int) time.Time { return time.Date(2026, 11, 1, hour, 0, 0, 0, time.UTC) }
	want := map[string]Span{idA: {Created: at(1)}, idB: {Created: at(1), Modified: at(2)}}
	assert.NoError(t, err)
	assert.Equal(t, want, spans)
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	for _, step := range []struct{ status, records string }{
		{"pending", idA + " add"}, {"completed", idA + " start complete"}, {"in_progress", idA + " replay"}, {"completed", ""}, {"completed", idA + " update"},
	} {
		s.write(fileOf(idA), fmt.Sprintf("---\nstatus: %s\nn: %d\n---\n", step.status, s.hour))
		if step.records == "" {
			s.commit()
		} else {
			s.commit(step.records)
		}
	}
	for range 2 {
		var got []string
		err := Ask(t.Context(), s.st, s.repo, func(l *Log) error {
			found, err := l.Statuses(t.Context(), idA)
			for _, c := range found[idA] {
				got = append(got, fmt.Sprint(c.At.Hour(), " ", c.Status))
			}
			return err
		})
		want := []string{"2 " + string(spec.Completed), "3 " + string(spec.InProgress), "4 " + string(spec.Completed)}
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	s.write(fileOf(idA), "---\ntask: X-7\n---\n")
	s.write(fileOf(idB), "---\ntask: Y-Z-3\n---\n")
	s.write(".chant/sprints/4.md", "---\n---\n")
	s.write(".chant/sprints/12.md", "---\n---\n")
	s.write(".chant/sprints/x99.md", "---\n---\n")
	s.commit()
	s.git("rm", "-q", fileOf(idA), ".chant/sprints/12.md")
	s.commit()
	s.git("commit", "-q", "--amend", "-m", "subject", "-m", "Chant-Task: N-5\nChant-Task: X-2")
	for range 2 {
		want := Numbers{Tasks: map[string]int{"X": 7, "N": 5}, Sprint: 12}
		err := Ask(t.Context(), s.st, s.repo, func(l *Log) error {
			got, err := l.Numbers(t.Context())
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v", got)
			}
			return err
		})
		assert.NoError(t, err)
	}
}

// TestOf_asWithoutIndex: after any commits and changes of branches, the index gives the same as reading all commits, also
// when its file is broken or removed.
func TestOf_asWithoutIndex(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t, store.IndexAlways)
			rng := rand.New(rand.NewPCG(seed, 3))
			ids := []string{idA, idB, "2026-11-01-003-ccc"}
			s.commit()
			branches := []string{"main"}
			for range 25 {
				id := ids[rng.IntN(len(ids))]
				switch n := rng.IntN(10); {
				case n == 0:
					name := fmt.Sprint("b", s.hour)
					s.git("branch", name)
					branches = append(branches, name)
					s.hour++
				case n == 1:
					s.git("checkout", "-q", branches[rng.IntN(len(branches))])
				case n == 2:
					s.hour++
					s.git("merge", "-q", "-X", "ours", "--no-ff", "-m", "merge", branches[rng.IntN(len(branches))])
				case n == 3:
					s.write(".git/chant/index.db", "broken")
				default:
					s.write(fileOf(id), fmt.Sprintf("---\nstatus: s%d\n---\n# T%d\n", rng.IntN(3), rng.IntN(2)))
					s.commit(id + " update")
				}
				with := s.all(ids...)
				s.st.Index = store.IndexOff
				without := s.all(ids...)
				s.st.Index = store.IndexAlways
				assert.Equal(t, without, with, "with the index")
			}
		})
	}
}

// TestLog_stores keeps what it has read, so that the next query finds it in the index.
func TestLog_stores(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, store.IndexAlways)
	s.write(fileOf(idA), "---\npriority: 1\n---\n")
	s.commit()
	s.write(fileOf(idA), "---\npriority: 2\n---\n")
	s.commit()
	s.all(idA)
	s.st.Query(t.Context(), func(q *store.Query) {
		l, err := Open(context.Background(), q, s.repo)
		assert.NoError(t, err)
		assert.False(t, l.whole, "%+v, %v", l, err)
		assert.Zero(t, l.fresh)
		entries, err := l.Find(t.Context(), idA)
		if err != nil || len(entries[idA]) != 2 || !reflect.DeepEqual(entries[idA][1].Changes, []taskfields.FieldChange{{Field: "priority", Old: "1", New: "2"}}) {
			t.Errorf("%+v, %v", entries, err)
		}
		if len(q.Batch.Values) > 0 {
			t.Errorf("%d values are stored again", len(q.Batch.Values))
		}
		if _, ok := q.View.Value(changesKind, idA); !ok {
			t.Error("there is no index")
		}
	})
}

// TestMarks: the commits of specs with their events, in the order of time, as with an index so without one.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, use := range []store.IndexUse{store.IndexOff, store.IndexAlways} {
		s := newSandbox(t, use)
		s.write(".chant/specs/a.md", "---\nstatus: pending\n---\n# A\n")
		s.commit()
		s.write(".chant/specs/a.md", "---\nstatus: completed\n---\n# A\n")
		s.commit("a start complete")
		for range 2 {
			err := Ask(t.Context(), s.st, s.repo, func(l *Log) error {
				got := l.Marks("a", "none")
				if marks := got["a"]; len(got) != 1 || len(marks) != 2 || len(marks[0].Events) != 0 || !slices.Equal(marks[1].Events, []string{"start", "complete"}) || !marks[0].At.Before(marks[1].At) {
					t.Errorf("%+v", got)
				}
				return nil
			})
			assert.NoError(t, err)
		}
	}
}
