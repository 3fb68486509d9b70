package author

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// refusedUpdate checks that an update is refused and changes nothing.
func refusedUpdate(t *testing.T, p *engine.Project, dir string, in UpdateInput, code engine.Code, words ...string) {
	t.Helper()
	before := enginetest.StateOf(t, dir)
	in.ID = enginetest.StrictID
	_, err := Update(t.Context(), p, in)
	if enginetest.CodeOf(t, err) != code {
		t.Errorf("%+v: %v, want code %q", in, err, code)
		return
	}
	for _, w := range words {
		assert.Contains(t, err.Error(), w, "%+v", in)
	}
	assert.Equal(t, before, enginetest.StateOf(t, dir), "%+v has changed", in)
}

func TestUpdate_criteriaAreNotWeakened(t *testing.T) {
	t.Parallel()
	weak := map[string]struct{ body, names string }{
		"removed":    {"# Strict\n\n## Acceptance Criteria\n\n- [x] a claim\n", "a result"},
		"reworded":   {strings.Replace(enginetest.StrictBody, "a claim", "another claim", 1), "a claim"},
		"re-command": {strings.Replace(enginetest.StrictBody, "test -f never", "true", 1), "a result"},
		"all gone":   {"# Strict\n", "a claim"},
	}
	for _, status := range []string{"in_progress", "paused", "failed", "needs_attention", "completed", "cancelled"} {
		p, dir := enginetest.SpecAt(t, status, enginetest.StrictBody)
		for name, tt := range weak {
			t.Log(status, name)
			refusedUpdate(t, p, dir, UpdateInput{Output: tt.body, ReplaceBody: true}, engine.Unverified, tt.names)
		}
	}
	p, _ := enginetest.SpecAt(t, "pending", enginetest.StrictBody)
	_, err := Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Output: weak["all gone"].body, ReplaceBody: true})
	assert.NoError(t, err, "a pending spec")
	p, _ = enginetest.SpecAt(t, "in_progress", enginetest.StrictBody)
	_, err = Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Output: enginetest.StrictBody + "- [ ] more\n\nText.\n", ReplaceBody: true})
	assert.NoError(t, err, "a criterion more")
}

// TestUpdate_completedIsJudgedBefore requests completion together with a body that would
// make it easy.
func TestUpdate_completedIsJudgedBefore(t *testing.T) {
	t.Parallel()
	open := strings.ReplaceAll(strings.Replace(enginetest.StrictBody, "[x]", "[ ]", 1), "test -f never", "true")
	p, dir := enginetest.SpecAt(t, "in_progress", open)
	for name, body := range map[string]string{
		"ticked":  strings.Replace(open, "- [ ] a claim", "- [x] a claim", 1),
		"removed": "# Strict\n",
		"added":   open + "- [x] easy\n",
	} {
		t.Log(name)
		refusedUpdate(t, p, dir, UpdateInput{Output: body, ReplaceBody: true, Status: "completed"}, engine.Unverified)
	}
	refusedUpdate(t, p, dir, UpdateInput{Output: "All done.", Status: "completed"}, engine.Unverified, "a claim")
	refusedUpdate(t, p, dir, UpdateInput{Output: "All done.", Labels: []string{"x"}, Status: "completed"}, engine.Unverified, "a claim")

	_, err := Check(t.Context(), p, CheckInput{ID: enginetest.StrictID, Criterion: "1"})
	assert.NoError(t, err)
	held := strings.Replace(open, "[ ] a claim", "[x] a claim", 1)
	for name, body := range map[string]string{"added": held + "- [x] easy\n", "unticked": open} {
		t.Log(name)
		refusedUpdate(t, p, dir, UpdateInput{Output: body, ReplaceBody: true, Status: "completed"}, engine.Unverified, "judged by")
	}
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	r, err := Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Output: "All done.", Labels: []string{"x"}, Status: "completed"})
	assert.NoError(t, err)
	assert.Equal(t, "completed", r.Status)
	assert.NotEqual(t, "", r.Commit)
	text := enginetest.Read(t, dir, ".chant/specs/"+enginetest.StrictID+".md")
	assert.Equal(t, 1, strings.Count(text, "All done."), "the spec reads")
	assert.Contains(t, text, "- [x] a result", "the spec reads")
	assert.Contains(t, text, "labels:", "the spec reads")
	assert.Equal(t, "1", enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD"))
	refusedUpdate(t, p, dir, UpdateInput{Output: "Again.", Status: "completed"}, engine.State)
	refusedUpdate(t, p, dir, UpdateInput{Output: strings.Replace(enginetest.StrictBody, "[x]", "[ ]", 1), ReplaceBody: true}, engine.Unverified)
}

// A new body without a title keeps the old title.
func TestUpdate_keepsTitle(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{"New.\n": "# T\n\nNew.\n", "# U\nNew.\n": "# U\nNew.\n", "## Not it\n": "# T\n\n## Not it\n"} {
		p, dir := enginetest.SpecAt(t, "pending", "# T\n\nOld.\n")
		_, err := Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Output: output, ReplaceBody: true})
		assert.NoError(t, err)
		assert.HasSuffix(t, enginetest.Read(t, dir, ".chant/specs/"+enginetest.StrictID+".md"), "---\n"+want, "%q", output)
	}
}

// Output of an agent never becomes a criterion.
func TestUpdate_outputIsNoCriterion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, output string }{
		"new heading":       {enginetest.StrictBody, "## Acceptance Criteria\n\n- [x] easy"},
		"heading of mine":   {enginetest.StrictBody, "text\n\n# Acceptance Criteria\n\n- [ ] easy"},
		"below level 1":     {"# Acceptance Criteria\n\n- [ ] hard\n", "- [x] easy"},
		"hides what follow": {"# T\n\n## Output\n\nx\n\n## Acceptance Criteria\n\n- [ ] hard\n", "```\n"},
	} {
		t.Log(name)
		for _, status := range []string{"pending", "in_progress"} {
			p, dir := enginetest.SpecAt(t, status, tt.body)
			refusedUpdate(t, p, dir, UpdateInput{Output: tt.output}, engine.Invalid, "code fence")
			fenced := "~~~\n" + strings.ReplaceAll(tt.output, "```", "") + "\n~~~"
			_, err := Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Output: fenced})
			assert.NoError(t, err, "in a fence")
		}
	}
}

func TestUpdate_plainText(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.SpecAt(t, "pending", enginetest.StrictBody)
	for _, bad := range []string{"a\x00", "a\x1b[2J", "a\rb", "a\u0085", "\x7f", "\xff"} {
		for _, in := range []UpdateInput{
			{Output: bad}, {Model: bad}, {Labels: []string{bad}}, {TargetFiles: []string{bad}}, {DependsOn: []string{bad}},
		} {
			refusedUpdate(t, p, dir, in, engine.Invalid)
		}
		for _, in := range []AddInput{
			{Description: bad}, {Description: "x", Prompt: bad}, {Description: "x", Provider: bad}, {Description: "x", Criteria: []string{bad}}, {Description: "x", Labels: []string{bad}},
		} {
			_, err := Add(t.Context(), p, in)
			assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "add %+v", in)
		}
	}
	for _, in := range []UpdateInput{{Labels: []string{"a", ""}}, {TargetFiles: []string{" "}}, {DependsOn: []string{""}}} {
		refusedUpdate(t, p, dir, in, engine.Invalid, "is empty")
	}
	_, err := Add(t.Context(), p, AddInput{Description: "x", Criteria: []string{""}})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "an empty criterion")
	_, err = Update(t.Context(), p, UpdateInput{ID: enginetest.StrictID, Labels: []string{"b", "a", "b"}, Output: "tab\tand\nline"})
	assert.NoError(t, err)
	s, err := engine.FindAny(t.Context(), p, enginetest.StrictID)
	assert.NoError(t, err)
	assert.True(t, slices.Equal(s.Fields.Labels, []string{"b", "a"}), "labels %q, %v", s.Fields.Labels, err)
}

func TestUpdate_lineEnds(t *testing.T) {
	t.Parallel()
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	p, dir := enginetest.SpecAt(t, "pending", "")
	path := ".chant/specs/" + enginetest.StrictID + ".md"
	enginetest.Commit(t, dir, map[string]string{path: crlf("---\nstatus: pending\n---\n" + enginetest.StrictBody)})
	for _, in := range []UpdateInput{{Output: "one\ntwo"}, {Output: "three\r\nfour\n"}, {Output: "New.\n\nBody.", ReplaceBody: true}} {
		in.ID = enginetest.StrictID
		_, err := Update(t.Context(), p, in)
		assert.NoError(t, err)
		text := enginetest.Read(t, dir, path)
		assert.Equal(t, strings.Count(text, "\r\n"), strings.Count(text, "\n"))
		assert.NotContains(t, text, "\r\r")
	}
}

// TestUpdate_status follows the table of states for every status and every status that can be requested.
func TestUpdate_status(t *testing.T) {
	t.Parallel()
	specs := map[string]string{}
	name := func(from, to string) string { return from + "-" + to }
	asked := []string{"pending", "in_progress", "failed"}
	for _, from := range spec.StatusWords() {
		for _, to := range asked {
			specs[name(from, to)] = with("status: " + from + "\nother: kept\n")
		}
	}
	p, dir := filed(t, specs)
	for _, from := range spec.StatusWords() {
		for _, to := range asked {
			id := name(from, to)
			_, wantErr := spec.EventTo(spec.Status(from), spec.Status(to))
			allowed := wantErr == nil || from == to
			r, err := Update(t.Context(), p, UpdateInput{ID: id, Status: to})
			text := enginetest.Read(t, dir, store.SpecPath(id))
			switch {
			case allowed && (err != nil || string(r.Status) != to || !strings.Contains(text, "status: "+to+"\nother: kept\n")):
				t.Errorf("%s to %s: %+v, %v\n%s", from, to, r, err, text)
			case !allowed && (enginetest.CodeOf(t, err) != engine.State || text != specs[id]):
				t.Errorf("%s to %s: %v\n%s", from, to, err, text)
			}
		}
	}
}

// TestUpdate_fields replaces lists, clears those that are given empty, and keeps fields that are not given.
func TestUpdate_fields(t *testing.T) {
	t.Parallel()
	front := "status: pending\nlabels: [a]\ntarget_files: [x.go]\ndepends_on: [" + numbered("002") + "]\nmodel: small\n"
	for name, tc := range map[string]struct {
		in   UpdateInput
		want string // labels, target files, dependencies and model
		bad  string
	}{
		"labels":         {UpdateInput{Labels: []string{"b", "c"}}, "b,c x.go " + numbered("002") + " small", ""},
		"cleared":        {UpdateInput{Labels: []string{}, TargetFiles: []string{}, DependsOn: []string{}}, "   small", ""},
		"model":          {UpdateInput{Model: "big"}, "a x.go " + numbered("002") + " big", ""},
		"dependencies":   {UpdateInput{DependsOn: []string{"003"}}, "a x.go " + numbered("003") + " small", ""},
		"on itself":      {UpdateInput{DependsOn: []string{"001"}}, "", "usage | chant list | dependencies would go in a circle"},
		"in a circle":    {UpdateInput{DependsOn: []string{"004"}}, "", "usage | chant list | dependencies would go in a circle"},
		"on nothing":     {UpdateInput{DependsOn: []string{"zzz"}}, "", "not_found |"},
		"no update":      {UpdateInput{}, "", "usage | chant update --help | No updates specified"},
		"unknown status": {UpdateInput{Status: "paused"}, "", `usage | chant update --help | Invalid status "paused"`},
		"no body":        {UpdateInput{ReplaceBody: true, Labels: []string{"b"}}, "", "usage | chant update --help | there is no output"},
		"a control byte": {UpdateInput{Model: "a\x07"}, "", "invalid |"},
	} {
		p, dir := filed(t, map[string]string{
			numbered("001"): with(front), numbered("002"): with("status: pending\n"), numbered("003"): with("status: pending\n"),
			numbered("004"): with("status: pending\ndepends_on: [" + numbered("001") + "]\n"),
		})
		tc.in.ID = numbered("001")
		_, err := Update(t.Context(), p, tc.in)
		got := enginetest.Refusal(err)
		assert.Equal(t, tc.bad == "", got == "", "%s", name)
		assert.HasPrefix(t, got, tc.bad, "%s", name)
		if tc.bad != "" {
			text := enginetest.Read(t, dir, store.SpecPath(numbered("001")))
			assert.Equal(t, with(front), text, "%s: a refusal has written", name)
			continue
		}
		s, err := p.Store.Get(t.Context(), numbered("001"))
		assert.NoError(t, err)
		f := s.Fields
		if got := strings.Join([]string{strings.Join(f.Labels, ","), strings.Join(f.TargetFiles, ","), strings.Join(f.DependsOn, ","), f.Model}, " "); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
