package task

import (
	"errors"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, c.status, status, "%s: StatusOf(%q)", c.name, c.word)
		assert.Equal(t, c.canonical, canonical, "%s: StatusOf(%q)", c.name, c.word)
		assert.Equal(t, c.status != "", ok, "%s: StatusOf(%q)", c.name, c.word)
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
		assert.Equal(t, c.want, c.st.WordOf(c.status, c.stored), "WordOf(%q, %q)", c.status, c.stored)
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
			again, canonical, ok := st.StatusOf(word)
			assert.True(t, ok, "%v: %q is shown as %q, which reads as %q (%q)", st.Statuses, status, word, again, canonical)
			assert.Equal(t, status, again, "%v", st.Statuses)
			assert.Equal(t, word, canonical, "%v", st.Statuses)
		}
	}
}

// TestStatusOf_named: words of the settings for what has failed or is cancelled mean that wherever they are in the list.
func TestStatusOf_named(t *testing.T) {
	t.Parallel()
	st := Defaults(true)
	st.Statuses = []string{"FAILED", "Open", "can-celed", "Shut"}
	for word, want := range map[string]spec.Status{"FAILED": spec.Failed, "Open": spec.Pending, "can-celed": spec.Cancelled, "Shut": spec.Completed} {
		got, _, ok := st.StatusOf(word)
		assert.True(t, ok, "%s is %s, want %s", word, got, want)
		assert.Equal(t, want, got, "%s", word)
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
		got, ok := MatchEnum(c.value, c.allowed)
		assert.Equal(t, c.want, got, "MatchEnum(%q, %q)", c.value, c.allowed)
		assert.Equal(t, c.ok, ok, "MatchEnum(%q, %q)", c.value, c.allowed)
	}
}

func FuzzMatchEnum(f *testing.F) {
	f.Add("In Progress", "InProgress")
	f.Fuzz(func(t *testing.T, value, word string) {
		got, ok := MatchEnum(value, []string{word})
		assert.False(t, ok && got != word && word != "*", "MatchEnum(%q, %q) = %q", value, word, got)
		for _, near := range Suggest(value, []string{word}) {
			assert.Equal(t, word, near, "Suggest(%q)", value)
		}
	})
}

func TestEnumError(t *testing.T) {
	t.Parallel()
	err := &EnumError{Field: "status", Provided: "Donee", Allowed: []string{"Todo", "Done"}}
	want := `Status validation failed: "Donee" is not a valid status (did you mean Done?). Valid values: Todo, Done`
	assert.Equal(t, want, err.Error())
	fault, ok := errors.AsType[*Fault](error(err.Fault()))
	assert.True(t, ok, "the fault is %+v", fault)
	assert.Equal(t, -32602, fault.Code)
	assert.True(t, fault.Data["field"] == "status", "the fault is %+v", fault)
	assert.True(t, fault.Data["code"] == "invalid_enum_value", "the fault is %+v", fault)
	assert.True(t, fault.Data["provided"] == "Donee", "the fault is %+v", fault)
	assert.Equal(t, err.Allowed, fault.Data["suggestions"].([]string))
	assert.Contains(t, fault.Data["details"].(string), "Todo, Done")
	near := Suggest("hihg", []string{"Low", "High"})
	assert.False(t, len(near) != 0 && near[0] != "High", "suggests %q", near)
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
		assert.Equal(t, c.typ, typ, "BranchDefaults(%q)", c.branch)
		assert.Equal(t, c.status, status, "BranchDefaults(%q)", c.branch)
		assert.Equal(t, c.priory, priority, "BranchDefaults(%q)", c.branch)
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
