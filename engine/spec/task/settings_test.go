package task

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
)

func TestStatusOf(t *testing.T) {
	t.Parallel()
	lotar, own := Defaults(true), Defaults(false)
	custom := Defaults(true)
	custom.Statuses = []string{"Open", "Doing", "Shipped", "Cancelled"}
	mapped := Defaults(true)
	mapped.States = map[string]spec.Status{"NeedsReview": spec.NeedsAttention, "Parked": spec.Paused}
	single := Defaults(true)
	single.Statuses = []string{"Only"}
	for _, c := range []struct {
		name, word string
		st         Settings
		status     spec.Status
		canonical  string
	}{
		{"first", "todo", lotar, spec.Pending, "Todo"},
		{"between", "in_progress", lotar, spec.InProgress, "InProgress"},
		{"between", "Needs Review", lotar, spec.InProgress, "NeedsReview"},
		{"last", "DONE", lotar, spec.Completed, "Done"},
		{"chant's word", "completed", lotar, spec.Completed, "Done"},
		{"chant's word", "needs-attention", lotar, spec.NeedsAttention, "needs_attention"},
		{"chant's word", "failed", lotar, spec.Failed, "failed"},
		{"no workspace", "pending", own, spec.Pending, "pending"},
		{"no workspace", "Paused", own, spec.Paused, "paused"},
		{"no workspace", "Failed", own, spec.Failed, "failed"},
		{"lotar's word", "Todo", own, spec.Pending, "pending"},
		{"lotar's word", "NeedsReview", own, spec.NeedsAttention, "needs_attention"},
		{"lotar's word", "Done", own, spec.Completed, "completed"},
		{"cancelled is last", "shipped", custom, spec.Completed, "Shipped"},
		{"cancelled is last", "cancelled", custom, spec.Cancelled, "Cancelled"},
		{"one status", "only", single, spec.Pending, "Only"},
		{"mapped", "needsreview", mapped, spec.NeedsAttention, "NeedsReview"},
		{"mapped", "parked", mapped, spec.Paused, "Parked"},
		{"unknown", "nonsense", lotar, "", ""},
		{"unknown", "", lotar, "", ""},
		{"unknown", "*", lotar, "", ""},
		{"lotar's word that is not configured", "Todo", custom, "", ""},
	} {
		status, canonical, ok := c.st.StatusOf(c.word)
		if status != c.status || canonical != c.canonical || ok != (c.status != "") {
			t.Errorf("%s: StatusOf(%q) = %q, %q, %v; want %q, %q", c.name, c.word, status, canonical, ok, c.status, c.canonical)
		}
	}
}

func TestWordOf(t *testing.T) {
	t.Parallel()
	lotar, own := Defaults(true), Defaults(false)
	own.States = map[string]spec.Status{"Review": spec.InProgress}
	for _, c := range []struct {
		st           Settings
		status       spec.Status
		stored, want string
	}{
		{lotar, spec.Pending, "", "Todo"},
		{lotar, spec.InProgress, "", "InProgress"},
		{lotar, spec.InProgress, "NeedsReview", "NeedsReview"},
		{lotar, spec.Completed, "NeedsReview", "Done"},
		{lotar, spec.Failed, "", "failed"},
		{lotar, spec.InProgress, "Elsewhere", "InProgress"},
		{own, spec.InProgress, "review", "Review"},
		{own, spec.NeedsAttention, "", "needs_attention"},
	} {
		if got := c.st.WordOf(c.status, c.stored); got != c.want {
			t.Errorf("WordOf(%q, %q) = %q, want %q", c.status, c.stored, got, c.want)
		}
	}
}

// TestStatuses_roundTrip checks that every word that is shown for a status reads as this status.
func TestStatuses_roundTrip(t *testing.T) {
	t.Parallel()
	cancelled := Defaults(true)
	cancelled.Statuses = []string{"Backlog", "Done", "Canceled"}
	for _, st := range []Settings{Defaults(true), Defaults(false), cancelled} {
		for _, status := range spec.Statuses() {
			word := st.WordOf(status, "")
			if again, canonical, ok := st.StatusOf(word); !ok || again != status || canonical != word {
				t.Errorf("%v: %q is shown as %q, which reads as %q (%q)", st.Statuses, status, word, again, canonical)
			}
		}
	}
}

// TestStatusOf_named: words of the settings for what has failed or is cancelled mean that wherever they are in the list.
func TestStatusOf_named(t *testing.T) {
	t.Parallel()
	st := Defaults(true)
	st.Statuses = []string{"FAILED", "Open", "can-celed", "Shut"}
	for word, want := range map[string]spec.Status{"FAILED": spec.Failed, "Open": spec.Pending, "can-celed": spec.Cancelled, "Shut": spec.Completed} {
		if got, _, ok := st.StatusOf(word); !ok || got != want {
			t.Errorf("%s is %s, want %s", word, got, want)
		}
	}
}

func TestMatchEnum(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value   string
		allowed []string
		want    string
		ok      bool
	}{
		{"high", []string{"Low", "High"}, "High", true},
		{"in progress", []string{"InProgress"}, "InProgress", true},
		{"urgent", []string{"Low", "*"}, "urgent", true},
		{" LOW ", []string{"Low", "*"}, "Low", true},
		{" urgent ", nil, "urgent", true},
		{"*", []string{"*"}, "", false},
		{" _ ", nil, "", false},
		{"urgent", []string{"Low"}, "", false},
	} {
		if got, ok := MatchEnum(c.value, c.allowed); got != c.want || ok != c.ok {
			t.Errorf("MatchEnum(%q, %q) = %q, %v", c.value, c.allowed, got, ok)
		}
	}
}

func FuzzMatchEnum(f *testing.F) {
	f.Add("In Progress", "InProgress")
	f.Fuzz(func(t *testing.T, value, word string) {
		got, ok := MatchEnum(value, []string{word})
		if ok && got != word && word != "*" {
			t.Errorf("MatchEnum(%q, %q) = %q", value, word, got)
		}
		for _, near := range Suggest(value, []string{word}) {
			if near != word {
				t.Errorf("Suggest(%q, %q) = %q", value, word, near)
			}
		}
	})
}

func TestEnumError(t *testing.T) {
	t.Parallel()
	err := &EnumError{Field: "status", Provided: "Donee", Allowed: []string{"Todo", "Done"}}
	want := `Status validation failed: "Donee" is not a valid status (did you mean Done?). Valid values: Todo, Done`
	if err.Error() != want {
		t.Errorf("got %s", err)
	}
	fault, ok := errors.AsType[*Fault](error(err.Fault()))
	if !ok || fault.Code != -32602 || fault.Data["field"] != "status" || fault.Data["code"] != "invalid_enum_value" || fault.Data["provided"] != "Donee" {
		t.Errorf("the fault is %+v", fault)
	}
	if !slices.Equal(fault.Data["suggestions"].([]string), err.Allowed) || !strings.Contains(fault.Data["details"].(string), "Todo, Done") {
		t.Errorf("the data is %v", fault.Data)
	}
	if near := Suggest("hihg", []string{"Low", "High"}); len(near) != 0 && near[0] != "High" {
		t.Errorf("suggests %q", near)
	}
}

func TestBranchDefaults(t *testing.T) {
	t.Parallel()
	plain := Defaults(true)
	aliased := Defaults(true)
	aliased.BranchTypes = map[string]string{"spike": "Chore"}
	aliased.BranchStatuses = map[string]string{"wip": "in_progress"}
	aliased.BranchPriorities = map[string]string{"hotfix/": "high"}
	off := aliased
	off.Auto = Auto{}
	for _, c := range []struct {
		st                          Settings
		branch, typ, status, priory string
	}{
		{plain, "feature/login", "Feature", "", ""},
		{plain, "fix-123", "Bug", "", ""},
		{plain, "chore/x", "Chore", "", ""},
		{plain, "main", "", "", ""},
		{plain, "", "", "", ""},
		{plain, "/", "", "", ""},
		{plain, "hotfix/wip", "Bug", "", ""},
		{aliased, "hotfix/wip-login", "Bug", "InProgress", "High"},
		{aliased, "spike/x", "Chore", "", ""},
		{off, "hotfix/wip-login", "", "", ""},
	} {
		typ, status, priority := BranchDefaults(c.branch, &c.st)
		if typ != c.typ || status != c.status || priority != c.priory {
			t.Errorf("BranchDefaults(%q) = %q, %q, %q", c.branch, typ, status, priority)
		}
	}
}

// BenchmarkWordOf measures what a list does for each task.
func BenchmarkWordOf(b *testing.B) {
	st := Defaults(true)
	for b.Loop() {
		st.WordOf(spec.InProgress, "NeedsReview")
		st.WordOf(spec.Completed, "")
	}
}
