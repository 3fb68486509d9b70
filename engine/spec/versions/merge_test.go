package versions

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

const (
	titled = "# T\n"
	whole  = "# T\n\n## Acceptance Criteria\n\n- [ ] one\n- [x] two\n"
)

// sides merges bodies without git: if both sides changed them, it reports a conflict.
func sides(base, ours, theirs []byte) ([]byte, bool, error) {
	return ours, true, nil
}

// file returns a document with lines of front matter above a body.
func file(front, body string) []byte {
	return []byte("---\n" + strings.TrimSuffix(front, "\n") + "\n---\n" + body)
}

func TestMerge_perField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want, conflicts string }{
		"they change":              {"status: pending\nprompt: a", "status: pending\nprompt: a\nmodel: m", "status: pending\nprompt: b", "status: pending\nprompt: b\nmodel: m", ""},
		"we change":                {"prompt: a\nmodel: x", "prompt: b\nmodel: x", "prompt: a\nmodel: y", "prompt: b\nmodel: y", ""},
		"both to the same":         {"prompt: a", "prompt: b # ours", "prompt: b", "prompt: b # ours", ""},
		"both, otherwise":          {"prompt: a", "prompt: b", "prompt: c", "prompt: b", "prompt"},
		"they remove":              {"prompt: a\nmodel: m", "prompt: a\nmodel: n", "model: m", "model: n", ""},
		"we remove":                {"prompt: a\nmodel: m", "model: m", "prompt: a\nmodel: n", "model: n", ""},
		"we remove, they change":   {"prompt: a\nmodel: m", "model: m", "prompt: b\nmodel: m", "model: m", "prompt"},
		"we change, they remove":   {"prompt: a\nmodel: m", "prompt: b\nmodel: m", "model: m", "prompt: b\nmodel: m", "prompt"},
		"both add the same key":    {"type: code", "type: code\nmodel: m", "type: code\nmodel: n", "type: code\nmodel: m", "model"},
		"unknown keys too":         {"x: {a: 1}\ny: 1", "x: {a: 1}\ny: 2", "x: {a: 2}\ny: 1", "x: {a: 2}\ny: 2", ""},
		"comments and order stay":  {"b: 1\na: 1", "# mine\nb: 2 # two\na: 1", "b: 1\na: 3", "# mine\nb: 2 # two\na: 3", ""},
		"lists: both add":          {"labels: [a]", "labels: [a, b]", "labels: [a, c]", "labels: [a, b, c]", ""},
		"lists: add and remove":    {"labels: [a, b]", "labels: [a, b, c]", "labels: [a]", "labels: [a, c]", ""},
		"lists: we remove":         {"labels: [a, b]", "labels: [b]", "labels: [a, b, c]", "labels: [b, c]", ""},
		"lists: both add the same": {"labels: []", "labels: [a, b]", "labels: [a]", "labels: [a, b]", ""},
		"lists: out of nothing":    {"type: code", "type: code\nlabels: [a]", "type: code\nlabels: [b]", "type: code\nlabels: [a, b]", ""},
		"lists: to explicit none":  {"depends_on: [a]\nx: 1", "depends_on: []\nx: 1", "depends_on: [a]\nx: 2", "depends_on: []\nx: 2", ""},
		"lists: of one word":       {"depends_on: a", "depends_on: [a, b]", "depends_on: c", "depends_on: [b, c]", ""},
		"lists: gone or grown":     {"labels: [a]\nx: 1", "x: 1", "labels: [a, b]\nx: 1", "x: 1", "labels"},
		"list or map":              {"x: 1", "x: [1]", "x: {a: 1}", "x: [1]", "x"},
		"status: further along":    {"status: pending", "status: in_progress", "status: completed", "status: completed", ""},
		"status: we are further":   {"status: in_progress", "status: completed", "status: failed", "status: completed", ""},
		"status: cancel stays":     {"status: in_progress", "status: cancelled", "status: pending", "status: cancelled", ""},
		"status: cancel comes":     {"status: in_progress", "status: paused", "status: cancelled", "status: cancelled", ""},
		"status: finished work":    {"status: in_progress", "status: cancelled", "status: completed", "status: completed", ""},
		"status: flagged":          {"status: in_progress", "status: needs_attention", "status: failed", "status: needs_attention", ""},
		"status: reset":            {"status: failed\nx: 1", "status: failed\nx: 2", "status: pending\nx: 1", "status: pending\nx: 2", ""},
		"status: key removed":      {"status: failed\nx: 1", "x: 1", "status: in_progress\nx: 1", "x: 1\nstatus: in_progress", ""},
		"status: unknown":          {"status: pending", "status: done", "status: completed", "status: done", "status"},
		"status: no word":          {"status: pending", "status: completed", "status: [1]", "status: completed", "status"},
		"times stay as written":    {"x: 1", "x: 2", "x: 1\ncompleted_at: 2026-11-20T10:00:00Z", "x: 2\ncompleted_at: 2026-11-20T10:00:00Z", ""},
		"numbers keep their form":  {"x: 1", "x: 2", "x: 1\nn: 0o17\nv: 1.10\nb: yes", "x: 2\nn: 0o17\nv: 1.10\nb: yes", ""},
		"several conflicts":        {"a: 1\nb: 1\nc: 1", "a: 2\nb: 2\nc: 1", "a: 3\nb: 3\nc: 3", "a: 2\nb: 2\nc: 3", "a b"},
	} {
		got, conflicts, err := Merge("x.md", file(c.base, titled), file(c.ours, titled), file(c.theirs, titled), sides)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, file(c.want, titled), got, "%v", name)
		assert.Equal(t, c.conflicts, strings.Join(conflicts, " "), "%v", name)
	}
}

// Each field is merged from three versions, including approval and other mappings.
func TestMerge_mappings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want, conflicts string }{
		"other keys of a mapping":  {"x: {a: 1, b: 1}", "x: {a: 2, b: 1}", "x: {a: 1, b: 0o7}", "x: {a: 2, b: 0o7}", ""},
		"a key of it goes":         {"x: {a: 1, b: 1}", "x: {b: 1}", "x: {a: 1, b: 2}", "x: {b: 2}", ""},
		"both add one":             {"x: 1", "x: {a: 1}", "x: {b: {c: 1}}", "x: {a: 1, b: {c: 1}}", ""},
		"lists in it":              {"x: {l: [a, b]}", "x: {l: [a, b, c]}", "x: {l: [b]}", "x: {l: [a, b, c]}", "x"},
		"the same key of it":       {"x: {a: 1, b: 1}", "x: {a: 2, b: 1}", "x: {a: 3, b: 2}", "x: {a: 2, b: 1}", "x"},
		"in a block":               {"x:\n  a: 1", "x:\n  a: 1\n  b: 2", "x:\n  a: 1\n  c: 3", "x:\n  a: 1\n  b: 2\n  c: 3", ""},
		"approved, and required":   {"approval: {status: pending}", "approval: {status: approved, by: ann, at: 2026-01-01}", "approval: {required: true, status: pending}", "approval: {required: true, status: approved, by: ann, at: 2026-01-01}", ""},
		"approved by two":          {"approval: {required: true, status: pending}", "approval: {required: true, status: approved, by: ann, at: 2026-01-01}", "approval: {required: true, status: approved, by: bob, at: 2026-01-02}", "approval: {required: true, status: approved, by: ann, at: 2026-01-01}", "approval"},
		"approved and rejected":    {"approval: {required: true}", "approval: {required: true, status: approved, by: ann}", "approval: {required: true, status: rejected, by: bob}", "approval: {required: true, status: approved, by: ann}", "approval"},
		"approved by both alike":   {"approval: {status: pending}", "approval: {status: approved, by: ann}", "approval: {required: false, status: approved, by: ann}", "approval: {required: false, status: approved, by: ann}", ""},
		"rejected, and taken away": {"approval: {required: true, status: pending}", "x: 1", "approval: {required: true, status: rejected, by: bob}", "x: 1", "approval"},
		"the approval comes":       {"x: 1", "x: 2", "x: 1\napproval: {required: true}", "x: 2\napproval: {required: true}", ""},
		"finished over failed":     {"status: in_progress", "status: failed\nreason: broke\nmodel: m", "status: completed\nreason: accepted\nmodel: n\ncompleted_at: 2026-01-02", "status: completed\nreason: accepted\nmodel: n\ncompleted_at: 2026-01-02", ""},
		"ours goes further":        {"status: in_progress\nreason: a", "status: cancelled\nreason: b", "status: failed\nreason: c", "status: cancelled\nreason: b", ""},
		"replayed twice": {
			"status: completed\ncontent_hashes:\n  docs: d0\n  a: same", "status: completed\nreplay_count: 1\nreplayed_at: a\ncontent_hashes:\n  docs: d1\n  a: same",
			"status: completed\nreplay_count: 1\nreplayed_at: b\ncontent_hashes:\n  docs: d2\n  a: same", "status: completed\nreplay_count: 1\nreplayed_at: a\ncontent_hashes:\n  docs: d1\n  a: same", "",
		},
		"finished twice":            {"status: in_progress", "status: completed\ncompleted_at: 2026-01-01", "status: completed\ncompleted_at: 2026-01-02", "status: completed\ncompleted_at: 2026-01-01", ""},
		"verified twice":            {"status: completed\nlast_verified: 1", "status: completed\nlast_verified: 2", "status: completed\nlast_verified: 3", "status: completed\nlast_verified: 2", ""},
		"a reason in one's own":     {"reason: a", "reason: b", "reason: c", "reason: b", "reason"},
		"a code with its status":    {"status: in_progress", "status: failed\nreason_code: agent", "status: cancelled\nreason_code: withdrawn", "status: cancelled\nreason_code: withdrawn", ""},
		"a reason in words alone":   {"reason: a\nreason_code: drifted", "reason: b\nreason_code: drifted", "reason: a\nreason_code: drifted", "reason: b\nreason_code: drifted", ""},
		"anchors are left to us":    {"x: {a: &k 1}\ny: 1", "x: {a: &k 1, b: 1}\ny: 1", "x: {a: &k 1, c: *k}\ny: 2", "x: {a: &k 1, b: 1}\ny: 2", "x"},
		"depends_on, both edited":   {"depends_on: [a, b]", "depends_on: [b, c]", "depends_on: [a, b, d]", "depends_on: [b, c, d]", ""},
		"type and prompt of theirs": {"type: code\nprompt: a", "type: code\nprompt: a\nx: 1", "type: task", "type: task\nx: 1", ""},
	} {
		got, conflicts, err := Merge("x.md", file(c.base, titled), file(c.ours, titled), file(c.theirs, titled), sides)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, file(c.want, titled), got, "%v", name)
		assert.Equal(t, c.conflicts, strings.Join(conflicts, " "), "%v", name)
	}
}

// A completed status is kept, and pending does not win over cancelled, whichever side has it.
func TestMerge_statusEitherWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, one, other, want string }{
		{"pending", "in_progress", "completed", "completed"},
		{"in_progress", "pending", "cancelled", "cancelled"},
		{"failed", "pending", "cancelled", "cancelled"},
		{"in_progress", "paused", "failed", "failed"},
		{"completed", "needs_attention", "pending", "needs_attention"},
		{"completed", "completed", "pending", "pending"},
		{"cancelled", "cancelled", "pending", "pending"},
	} {
		for _, sidesOf := range [][2]string{{c.one, c.other}, {c.other, c.one}} {
			got, conflicts, err := Merge("x.md", file("status: "+c.base+"\nx: 1", titled), file("status: "+sidesOf[0]+"\nx: 2", titled), file("status: "+sidesOf[1]+"\nx: 1\ny: 1", titled), sides)
			want := file("status: "+c.want+"\nx: 2\ny: 1", titled)
			assert.NoError(t, err, "%q from %s: %q", sidesOf, c.base, conflicts)
			assert.Zero(t, conflicts, "%q from %s: %q", sidesOf, c.base, conflicts)
			assert.Equal(t, want, got, "%q from %s: %q", sidesOf, c.base, conflicts)
		}
	}
}

func TestMerge_bodies(t *testing.T) {
	t.Parallel()
	join := func(base, ours, theirs []byte) ([]byte, bool, error) {
		return fmt.Appendf(nil, "%s+%s+%s", base, ours, theirs), false, nil
	}
	for name, c := range map[string]struct {
		base, ours, theirs string
		merge              MergeBody
		want, conflicts    string
	}{
		"we change":      {"a", "b", "a", sides, "b", ""},
		"they change":    {"a", "a", "b", sides, "b", ""},
		"both alike":     {"a", "b", "b", sides, "b", ""},
		"both, joined":   {"a", "b", "c", join, "a+b+c", ""},
		"both, conflict": {"a", "b", "c", sides, "b", "body"},
	} {
		got, conflicts, err := Merge("x.md", file("x: 1", c.base), file("x: 2", c.ours), file("x: 1\ny: 1", c.theirs), c.merge)
		want := file("x: 2\ny: 1", c.want)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, want, got, "%s", name)
		assert.Equal(t, c.conflicts, strings.Join(conflicts, " "), "%s", name)
	}
	broken := errors.New("no tool")
	_, _, err := Merge("x.md", file("x: 1", "a"), file("x: 1", "b"), file("x: 1", "c"), func(_, _, _ []byte) ([]byte, bool, error) { return nil, false, broken })
	assert.IsError(t, err, broken, "the error is lost")
}

func TestMerge_oneSideUnchanged(t *testing.T) {
	t.Parallel()
	a, b := file("# old\nstatus: pending", titled), []byte("---\r\nstatus: failed # new\r\n---\r\n# U\r\n")
	junk := []byte("---\nno end of it\n")
	for name, c := range map[string]struct{ base, ours, theirs, want []byte }{
		"only ours":   {a, b, a, b},
		"only theirs": {a, a, b, b},
		"both alike":  {a, b, b, b},
		"unreadable":  {a, a, junk, junk},
	} {
		got, conflicts, err := Merge("x.md", c.base, c.ours, c.theirs, nil)
		assert.NoError(t, err, "%s", name)
		assert.True(t, conflicts == nil, "%s: %q, %v, %v", name, got, conflicts, err)
		assert.Equal(t, c.want, got, "%s", name)
	}
}

func TestMerge_unreadable(t *testing.T) {
	t.Parallel()
	good, other := file("x: 1", titled), file("x: 2", titled)
	for _, junk := range []string{"---\nno end\n", "---\nx: [1\n---\n", "---\nx: 1\nx: 2\n---\n"} {
		for i := range 3 {
			docs := [3][]byte{file("x: 0", titled), good, other}
			docs[i] = []byte(junk)
			_, _, err := Merge("dir/x.md", docs[0], docs[1], docs[2], sides)
			bad, ok := errors.AsType[*markdown.SyntaxError](err)
			assert.True(t, ok, "%q as document %d: %v", junk, i, err)
			assert.Equal(t, "dir/x.md", bad.Path, "%q as document %d: %v", junk, i, err)
		}
	}
}

func TestMerge_withoutBase(t *testing.T) {
	t.Parallel()
	got, conflicts, err := Merge("x.md", nil, file("labels: [a]\nprompt: p", titled), file("labels: [b]\nmodel: m", titled), sides)
	want := file("labels: [a, b]\nprompt: p\nmodel: m", titled)
	assert.NoError(t, err)
	assert.True(t, conflicts == nil, "%s\n%v, %v", got, conflicts, err)
	assert.Equal(t, want, got)
}

// genFront generates front matter from few keys and values, so that both sides often change the same key.
func genFront() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var lines []string
		for key, values := range map[string][]string{
			"prompt": {"a", "b", `"c: d"`}, "depends_on": {"a", "[]", "[a]", "[a, b]", "[b, c]"}, "x": {"1", "[1, 1]", "{k: [v]}", "2026-11-20", "{k: 1, l: {m: [a]}}"},
			"approval": {"{required: true}", "{status: approved, by: ann}", "{required: true, status: rejected, by: bob}"},
		} {
			if v := rapid.SampledFrom(append(values, "")).Draw(t, key); v != "" {
				lines = append(lines, key+": "+v)
			}
		}
		slices.Sort(lines)
		status := rapid.SampledFrom(append(spec.Statuses(), "ready")).Draw(t, "status")
		return strings.Join(append(lines, "status: "+string(status)), "\n")
	})
}

func TestMerge_again(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []byte {
			return file(genFront().Draw(t, name), rapid.SampledFrom([]string{titled, whole}).Draw(t, name+" body"))
		}
		base, ours, theirs := draw("base"), draw("ours"), draw("theirs")
		once, conflicts, err := Merge("x.md", base, ours, theirs, sides)
		if err != nil {
			t.Fatal(err)
		}
		twice, again, err := Merge("x.md", base, once, theirs, sides)
		if err != nil || len(conflicts) == 0 && !bytes.Equal(once, twice) {
			t.Fatalf("merged again: %v, conflicts %q then %q\n%s\n%s", err, conflicts, again, once, twice)
		}
		if _, err := spec.Parse("x", "x.md", once); err != nil {
			t.Fatalf("the merge does not read: %v\n%s", err, once)
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte("---\nstatus: pending\n---\n# T\n"), []byte("---\nstatus: failed\nlabels: [a]\n---\n# T\n"), []byte("---\nlabels: b\n---\n# U\n"))
	f.Add([]byte(""), []byte("# no front matter\n"), []byte("---\n---\n"))
	f.Add([]byte("---\na: &x [1]\nb: *x\n---\n"), []byte("---\na: &x [2]\nb: *x\n---\n"), []byte("---\na: &x [1]\nb: *x\nc: <<\n---\n"))
	f.Add([]byte("---\r\na: 1\r\n---\r\n"), []byte("---\r\na: |\r\n  x\r\n---\r\n"), []byte("\xef\xbb\xbf---\na: .nan\n---\n"))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		if got, conflicts, err := Merge("x.md", base, ours, ours, sides); err != nil || conflicts != nil || !bytes.Equal(got, ours) {
			t.Fatalf("both alike: %q, %v, %v", got, conflicts, err)
		}
		got, _, err := Merge("x.md", base, ours, theirs, sides)
		if err != nil {
			return
		}
		for _, side := range [][]byte{ours, theirs} {
			if bytes.Equal(got, side) {
				return // taken as it is, readable or not
			}
		}
		_, err = markdown.Parse("x.md", got)
		assert.NoError(t, err, "the merge does not read: %q", got)
	})
}

func TestRank_everyStatus(t *testing.T) {
	t.Parallel()
	taken := map[int]spec.Status{}
	for _, status := range spec.Statuses() {
		n := rank(status)
		other, dup := taken[n]
		assert.True(t, n >= 0, "%s has the rank %d, as %q", status, n, other)
		assert.False(t, dup, "%s has the rank %d, as %q", status, n, other)
		taken[n] = status
	}
}
