package task

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chant/engine/spec/taskfields"

	"github.com/alecthomas/assert/v2"
)

// tenLines is a repository whose only file has ten lines.
func tenLines(path string) (int, error) {
	if path != "src/a.go" {
		return 0, fmt.Errorf("no file %s", path)
	}
	return 10, nil
}

func TestNormalizeReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, value, want string }{
		{"link", " https://a.b/c ", "https://a.b/c"},
		{"LINK", "docs/x", "docs/x"},
		{"file", "./src/a.go", "src/a.go"},
		{"file", `src\a.go`, "src/a.go"},
		{"code", "src/a.go", "src/a.go"},
		{"code", "src/a.go#L2-L5", "src/a.go#2-5"},
		{"code", "src/a.go#3", "src/a.go#3"},
		{"code", "src/a.go#3-3", "src/a.go#3"},
		{"code", "src/a.go#5-99", "src/a.go#5-10"},
		{"code", "src/a.go#50-99", "src/a.go#10"},
		{"jira", "jira:proj-12", "PROJ-12"},
		{"github", "GitHub:Org/Repo#7", "org/repo#7"},
	} {
		got, err := NormalizeReference(c.kind, c.value, tenLines)
		assert.NoError(t, err, "%q", c.value)
		assert.Equal(t, c.want, got.Value, "%q", c.value)
		assert.Equal(t, strings.ToLower(c.kind), got.Kind, "%q", c.value)
		assert.True(t, SameReference(got, taskfields.Reference{Kind: c.kind, Value: got.Value}), "%v differs from itself", got)
	}
	for _, c := range []struct {
		kind, value string
		code        int
		message     string
	}{
		{"", "x", -32602, "Missing kind"},
		{"page", "x", -32602, "Invalid kind"},
		{"link", " ", -32602, "Missing value"},
		{"link", "JavaScript:alert(1)", -32000, "Task reference add failed"},
		{"link", " data:text/html,x", -32000, "Task reference add failed"},
		{"link", "a\nb", -32000, "Task reference add failed"},
		{"link", strings.Repeat("x", 4097), -32000, "Task reference add failed"},
		{"file", "../x", -32000, "Task reference add failed"},
		{"file", "src/../../x", -32000, "Task reference add failed"},
		{"file", "/etc/passwd", -32000, "Task reference add failed"},
		{"file", "src/b.go", -32000, "Task reference add failed"},
		{"code", "src/b.go#1", -32000, "Task reference add failed"},
		{"code", "src/a.go#5-2", -32000, "Task reference add failed"},
		{"code", "src/a.go#0", -32000, "Task reference add failed"},
		{"code", "src/a.go#x", -32000, "Task reference add failed"},
		{"jira", "12", -32000, "Task reference add failed"},
		{"github", "repo#1", -32000, "Task reference add failed"},
	} {
		_, err := NormalizeReference(c.kind, c.value, tenLines)
		fault, ok := errors.AsType[*Fault](err)
		assert.True(t, ok, "%s %.20q: got %v", c.kind, c.value, err)
		assert.Equal(t, c.code, fault.Code, "%s %.20q: got %v", c.kind, c.value, err)
		assert.Equal(t, c.message, fault.Message, "%s %.20q: got %v", c.kind, c.value, err)
	}
	_, err := NormalizeReference("file", "src/a.go", nil)
	fault, ok := errors.AsType[*Fault](err)
	assert.True(t, ok, "without a repository: %v", err)
	assert.True(t, fault.Data["message"] == "Unable to locate git repository", "without a repository: %v", err)
}

func TestSameReference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, a, b string
		same       bool
	}{
		{"code", "a.go#L1-L3", "a.go#1-3", true},
		{"code", "a.go#1", "a.go#L1-1", true},
		{"code", "a.go#1", "a.go", false},
		{"code", "a.go#x", "a.go#x", true},
		{"code", "a.go#x", "a.go", false},
		{"jira", "jira:p-1", "P-1", true},
		{"github", "A/B#1", "github:a/b#1", true},
		{"link", "https://A", "https://a", false},
		{"file", "./a", "a", true},
	} {
		if got := SameReference(taskfields.Reference{Kind: c.kind, Value: c.a}, taskfields.Reference{Kind: c.kind, Value: c.b}); got != c.same {
			t.Errorf("%s: %q and %q are the same: %v", c.kind, c.a, c.b, got)
		}
	}
	if SameReference(taskfields.Reference{Kind: "link", Value: "a"}, taskfields.Reference{Kind: "file", Value: "a"}) {
		t.Error("references of two kinds are the same")
	}
}

func FuzzNormalizeReference(f *testing.F) {
	f.Add("code", "src/a.go#L2-L5")
	f.Add("jira", "jira:proj-12")
	f.Add("github", "GitHub:Org/Repo#7")
	f.Fuzz(func(t *testing.T, kind, value string) {
		anyFile := func(string) (int, error) { return 10, nil }
		r, err := NormalizeReference(kind, value, anyFile)
		if err != nil {
			return
		}
		again, err := NormalizeReference(r.Kind, r.Value, anyFile)
		assert.NoError(t, err, "%s %q is stored", kind, value)
		assert.Equal(t, r, again, "%s %q is stored", kind, value)
		assert.True(t, SameReference(r, again), "%s %q is stored as %v, which is stored as %v, %v", kind, value, r, again, err)
	})
}
