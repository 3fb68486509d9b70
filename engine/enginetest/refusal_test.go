package enginetest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/verify/linter"
	"chant/engine/view"
	"chant/engine/work"
	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// TestCheck_completed: the boxes of a completed spec cannot be changed.
func TestCheck_completed(t *testing.T) {
	t.Parallel()
	p, dir := SpecAt(t, "completed", StrictBody)
	before := StateOf(t, dir)
	for _, uncheck := range []bool{false, true} {
		_, err := author.Check(t.Context(), p, author.CheckInput{ID: StrictID, Criterion: "1", Uncheck: uncheck})
		assert.Equal(t, engine.State, CodeOf(t, err), "uncheck %v", uncheck)
		assert.Contains(t, err.Error(), "is completed", "uncheck %v", uncheck)
	}
	assert.Equal(t, before, StateOf(t, dir))
}

// TestFind_archived: operations refuse an archived spec.
func TestFind_archived(t *testing.T) {
	t.Parallel()
	p, _ := SpecAt(t, "cancelled", StrictBody)
	_, err := author.Archive(t.Context(), p, author.ArchiveInput{ID: StrictID})
	assert.NoError(t, err)
	ctx := t.Context()
	for name, err := range map[string]error{
		"update":   second(author.Update(ctx, p, author.UpdateInput{ID: "001", Output: "x"})),
		"check":    second(author.Check(ctx, p, author.CheckInput{ID: "abc", Criterion: "1"})),
		"finalize": second(work.Finalize(ctx, p, work.FinalizeInput{ID: StrictID})),
		"reset":    second(work.Reset(ctx, p, work.ResetInput{ID: StrictID})),
		"cancel":   second(work.Cancel(ctx, p, work.CancelInput{ID: StrictID})),
		"work":     second(work.Work(ctx, p, work.WorkInput{ID: StrictID})),
		"start":    second(queue.WorkStart(ctx, p, queue.WorkStartInput{WorkInput: work.WorkInput{ID: StrictID}})),
		"pause":    second(work.Pause(ctx, p, work.PauseInput{ID: StrictID})),
		"takeover": second(work.Takeover(ctx, p, work.TakeoverInput{ID: StrictID})),
		"merge":    second(work.Merge(ctx, p, work.MergeInput{ID: StrictID})),
		"deps":     second(view.Deps(ctx, p, view.DepsInput{ID: StrictID})),
		"lint":     second(linter.Lint(ctx, p, linter.LintInput{ID: StrictID})),
	} {
		if CodeOf(t, err) != engine.State || err.Error() != `spec "`+StrictID+`" is archived` || err.(*engine.Error).Next.String() != "chant show "+StrictID { //nolint:errorlint // operations return exactly this type
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = view.Show(ctx, p, view.ShowInput{ID: "abc"})
	assert.NoError(t, err)
}

func second[T any](_ T, err error) error { return err }

// TestErrors_echoLittle: errors shorten long arguments, and report an empty status as unknown.
func TestErrors_echoLittle(t *testing.T) {
	t.Parallel()
	p, _ := SpecAt(t, "pending", StrictBody)
	long, ctx := strings.Repeat("é", 5000), t.Context()
	for name, err := range map[string]error{
		"id":        second(view.Show(ctx, p, view.ShowInput{ID: long})),
		"no id":     second(view.Show(ctx, p, view.ShowInput{ID: strings.Repeat("a", 5000)})),
		"status":    second(view.List(ctx, p, view.ListInput{Status: &long})),
		"to status": second(author.Update(ctx, p, author.UpdateInput{ID: "abc", Status: long})),
		"criterion": second(author.Check(ctx, p, author.CheckInput{ID: "abc", Criterion: long})),
		"type":      second(author.Add(ctx, p, author.AddInput{Description: "x", Type: long})),
		"depends":   second(author.Add(ctx, p, author.AddInput{Description: "x", DependsOn: []string{long}})),
	} {
		assert.Error(t, err, "%s", name)
		assert.True(t, utf8.RuneCountInString(err.Error()) <= 400, "%s: %v", name, err)
		assert.Contains(t, err.Error(), "…", "%s", name)
		assert.True(t, utf8.ValidString(err.Error()), "%s: %v", name, err)
	}
	none := ""
	for name, err := range map[string]error{
		"list":   second(view.List(ctx, p, view.ListInput{Status: &none})),
		"search": second(view.Search(ctx, p, view.SearchInput{Query: "x", Status: &none})),
	} {
		assert.Equal(t, engine.Usage, CodeOf(t, err), "%s", name)
		assert.Contains(t, err.Error(), `unknown status ""`, "%s", name)
	}
}
