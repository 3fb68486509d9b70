package schedule

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"chant/engine/spec/fileset"

	"pgregory.net/rapid"
)

// world is a set of tasks with how their runs end, and a record of these runs. Its time
// is virtual.
type world struct {
	tasks  map[string]*fate
	width  int
	allow  bool
	doneAt map[string]time.Time
	runs   map[string]int // begun and not ended
	began  []string
	wrong  []string
	atEnds []time.Time // moments at which a run ended, and the beginning
	turn   chan struct{}
}

// fate is a task and how its runs end; the last verdict repeats.
type fate struct {
	Task
	needs  []string
	takes  time.Duration
	ends   []Verdict
	starts int
}

func (w *world) source(context.Context) ([]Task, error) {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	var out []Task
	for id, f := range w.tasks {
		_, done := w.doneAt[id]
		open := slices.ContainsFunc(f.needs, func(n string) bool { return w.doneAt[n].IsZero() })
		if !done && !open {
			out = append(out, f.Task)
		}
	}
	return out, nil
}

func (w *world) work(_ context.Context, st Start) End {
	f := w.tasks[st.ID]
	w.turn <- struct{}{}
	w.begin(st)
	<-w.turn
	time.Sleep(f.takes)
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	w.runs[st.ID]--
	w.atEnds = append(w.atEnds, time.Now())
	verdict := f.ends[min(f.starts, len(f.ends))-1]
	if verdict == Done {
		w.doneAt[st.ID] = time.Now()
	}
	return End{Verdict: verdict}
}

func (w *world) begin(st Start) {
	f := w.tasks[st.ID]
	f.starts++
	w.began = append(w.began, st.ID)
	w.runs[st.ID]++
	total := 0
	for id, n := range w.runs {
		total += n
		if n > 0 && id != st.ID && !w.allow && fileset.Overlap(f.Files, w.tasks[id].Files) {
			w.fault("%s began beside %s, which has its files", st.ID, id)
		}
	}
	if total > w.width || w.runs[st.ID] > 1 {
		w.fault("%d runs at a time, %d of %s; the width is %d", total, w.runs[st.ID], st.ID, w.width)
	}
	if !slices.ContainsFunc(w.atEnds, time.Now().Equal) {
		w.fault("%s began at a moment at which nothing had ended", st.ID)
	}
}

func (w *world) fault(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// genWorld generates tasks that wait for some of the tasks before them.
func genWorld(t *rapid.T) *world {
	w := &world{
		tasks: map[string]*fate{}, doneAt: map[string]time.Time{}, runs: map[string]int{}, turn: make(chan struct{}, 1),
		width: rapid.IntRange(1, 5).Draw(t, "width"), allow: rapid.Bool().Draw(t, "allow overlap"),
	}
	var ids []string
	for n := range rapid.IntRange(0, 12).Draw(t, "tasks") {
		f := &fate{
			Task: Task{
				ID: strconv.Itoa(n), Priority: rapid.IntRange(0, 4).Draw(t, "priority"),
				Files: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "a/c", "*.md"}), 0, 2).Draw(t, "files"),
			},
			takes: time.Duration(rapid.IntRange(0, 9).Draw(t, "seconds")) * time.Second,
			ends:  rapid.SliceOfN(rapid.SampledFrom([]Verdict{Done, Done, Failed, Refused, Again, Elsewhere, Stopped}), 1, 4).Draw(t, "ends"),
		}
		if f.ends[len(f.ends)-1] == Again { // a retry policy has an end
			f.ends = append(f.ends, Done)
		}
		if len(ids) > 0 {
			f.needs = rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, min(2, len(ids)), rapid.ID).Draw(t, "needs")
		}
		w.tasks[f.ID] = f
		ids = append(ids, f.ID)
	}
	return w
}

// scheduler returns a scheduler for a world, with the clock of the synctest bubble.
func (w *world) scheduler() Scheduler {
	return Scheduler{
		Width: w.width, AllowOverlap: w.allow, Pool: NewPool([]Agent{{Name: "a"}}, None, nil),
		Now: time.Now, After: time.After, Random: func(int) int { return 0 },
	}
}

// mayStart returns how often a task may be started at most.
func (f *fate) mayStart() int {
	starts, lost := 1, 0
	for starts = 1; starts <= len(f.ends)+maxAttempts; starts++ {
		verdict := f.ends[min(starts, len(f.ends))-1]
		if verdict == Elsewhere {
			lost++
		}
		if verdict != Again && verdict != Elsewhere || lost == maxAttempts {
			break
		}
	}
	return starts
}

// TestRun: for any graph, files and ends, the width is not exceeded, runs do not share
// files, no task runs more often than its ends ask for, what becomes ready starts at
// once, and the loop ends with nothing left that could start.
func TestRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := genWorld(rt)
		stop, most := rapid.Bool().Draw(rt, "stop on failure"), rapid.IntRange(0, 6).Draw(rt, "max")
		var sum Summary
		var err error
		synctest.Test(t, func(t *testing.T) {
			w.atEnds = append(w.atEnds, time.Now())
			s := w.scheduler()
			s.StopOnFailure, s.Max = stop, most
			sum, err = s.Run(t.Context(), w.source, w.work)
		})
		w.check(rt, sum, err, most)
	})
}

func (w *world) check(t *rapid.T, sum Summary, err error, most int) {
	if err != nil || len(w.wrong) > 0 {
		t.Fatalf("%v %v", err, w.wrong)
	}
	started, agents := map[string]bool{}, 0
	for id, f := range w.tasks {
		if f.starts > f.mayStart() {
			t.Fatalf("%s was started %d times, its ends are %v", id, f.starts, f.ends)
		}
		for n := range f.starts {
			switch f.ends[min(n+1, len(f.ends))-1] {
			case Elsewhere:
			case Refused:
				started[id] = true
			default:
				agents++
				started[id] = true
			}
		}
	}
	if sum.Starts != agents {
		t.Fatalf("%d agent starts are reported, there were %d", sum.Starts, agents)
	}
	if most > 0 && len(started) > most {
		t.Fatalf("%d specs were started, at most %d should", len(started), most)
	}
	left, _ := w.source(context.Background())
	for _, task := range left {
		f := w.tasks[task.ID]
		if sum.Reason == Finished && f.starts < f.mayStart() {
			t.Fatalf("%s could start and was not, ends %v, %d starts", task.ID, f.ends, f.starts)
		}
	}
}
