package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCheck_completed ticks a box of a spec whose criteria were judged.
func TestCheck_completed(t *testing.T) {
	t.Parallel()
	e, dir := specAt(t, "completed", strictBody)
	before := stateOf(t, dir)
	for _, uncheck := range []bool{false, true} {
		_, err := e.Check(t.Context(), CheckInput{ID: strictID, Criterion: "1", Uncheck: uncheck})
		if codeOf(t, err) != State || !strings.Contains(err.Error(), "is completed") {
			t.Errorf("uncheck %v: %v", uncheck, err)
		}
	}
	if after := stateOf(t, dir); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
}

// TestFind_archived asks operations for a spec that was put away.
func TestFind_archived(t *testing.T) {
	t.Parallel()
	e, _ := specAt(t, "cancelled", strictBody)
	if _, err := e.Archive(t.Context(), ArchiveInput{ID: strictID}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, err := range map[string]error{
		"update":   second(e.Update(ctx, UpdateInput{ID: "001", Output: "x"})),
		"check":    second(e.Check(ctx, CheckInput{ID: "abc", Criterion: "1"})),
		"finalize": second(e.Finalize(ctx, FinalizeInput{ID: strictID})),
		"reset":    second(e.Reset(ctx, ResetInput{ID: strictID})),
		"cancel":   second(e.Cancel(ctx, CancelInput{ID: strictID})),
		"work":     second(e.Work(ctx, WorkInput{ID: strictID})),
		"start":    second(e.WorkStart(ctx, WorkStartInput{WorkInput: WorkInput{ID: strictID}})),
		"pause":    second(e.Pause(ctx, PauseInput{ID: strictID})),
		"takeover": second(e.Takeover(ctx, TakeoverInput{ID: strictID})),
		"merge":    second(e.Merge(ctx, MergeInput{ID: strictID})),
		"deps":     second(e.Deps(ctx, DepsInput{ID: strictID})),
		"lint":     second(e.Lint(ctx, LintInput{ID: strictID})),
	} {
		if codeOf(t, err) != State || err.Error() != `spec "`+strictID+`" is archived` || err.(*Error).Hint != "chant show "+strictID { //nolint:errorlint // operations promise this very type
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.Show(ctx, ShowInput{ID: "abc"}); err != nil {
		t.Errorf("show: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestErrors_echoLittle types texts that are far too long, and a status that is
// none.
func TestErrors_echoLittle(t *testing.T) {
	t.Parallel()
	e, _ := specAt(t, "pending", strictBody)
	long, ctx := strings.Repeat("é", 5000), t.Context()
	for name, err := range map[string]error{
		"id":        second(e.Show(ctx, ShowInput{ID: long})),
		"no id":     second(e.Show(ctx, ShowInput{ID: strings.Repeat("a", 5000)})),
		"status":    second(e.List(ctx, ListInput{Status: &long})),
		"to status": second(e.Update(ctx, UpdateInput{ID: "abc", Status: long})),
		"criterion": second(e.Check(ctx, CheckInput{ID: "abc", Criterion: long})),
		"type":      second(e.Add(ctx, AddInput{Description: "x", Type: long})),
		"depends":   second(e.Add(ctx, AddInput{Description: "x", DependsOn: []string{long}})),
	} {
		if err == nil || utf8.RuneCountInString(err.Error()) > 400 || !strings.Contains(err.Error(), "…") || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	none := ""
	for name, err := range map[string]error{
		"list":   second(e.List(ctx, ListInput{Status: &none})),
		"search": second(e.Search(ctx, SearchInput{Query: "x", Status: &none})),
	} {
		if codeOf(t, err) != Usage || !strings.Contains(err.Error(), `unknown status ""`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
