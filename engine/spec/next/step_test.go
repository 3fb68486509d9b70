package next

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// Every form of a step is rendered as the command line that people know.
func TestStep_text(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Step{
		"":                                     {},
		"chant list":                           List.On(),
		"chant work":                           Work.On(""),
		"chant --help":                         Help(),
		"chant work --help":                    Work.Help(),
		"chant guide specs":                    Guide.On("specs"),
		"chant hooks install --tracked":        HooksInstall.On().Flag("tracked"),
		"chant work 001 --replay":              Work.On("001").Flag("replay"),
		"chant lint --fix 001":                 Lint.On().Flag("fix").Arg("001"),
		"chant check 001 2":                    Check.On("001", "2"),
		"chant merge 001 --auto":               Merge.On("001").Flag("auto"),
		"chant verify 001 --provider claude":   Verify.On("001").Set("provider", "claude"),
		`chant add "What must be true"`:        Add.On("What must be true"),
		"chant merge 001 --auto --provider x":  Merge.On("001").Flag("auto").Set("provider", "x"),
		`chant add --group 001 'it'\''s "so"'`: Add.On().Set("group", "001").Arg(`it's "so"`),
		"git stash && chant merge 001":         Merge.On("001").After("git stash"),
		`git -C "a b" status`:                  Shell("git -C %q status", "a b"),
		"vi .chant/config.md":                  EditFile(".chant/config.md"),
		"rename the file":                      ByHand("rename the file"),
		"add a title (chant guide specs)":      ByHand("add a title").See(Guide.On("specs")),
	} {
		assert.Equal(t, want, s.String())
		back := Parse(want)
		assert.Equal(t, want, back.String())
		assert.False(t, s.ByHand == "" && !back.Equal(s), "%s is read as %+v, want %+v", want, back, s)
		raw, err := json.Marshal(s)
		var decoded Step
		assert.NoError(t, err)
		assert.NoError(t, json.Unmarshal(raw, &decoded))
		assert.Equal(t, want, decoded.String())
	}
}

// A text that is not recognized, for example in an older journal, is rendered unchanged.
func TestParse_strange(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"chant", "chant ", "chant nonsense 001", "chant work  001", "chant work 001 ", "chant work '", `chant work "a b`, `chant work a\ b`,
		"chant work 'plain'", "vi", "vi ", "git status && chant", "x && chant work 001 && chant list", "chant merge 001 --provider", "--help",
	} {
		assert.Equal(t, text, Parse(text).String())
	}
	s := Parse("chant nonsense 001")
	assert.True(t, s.Equal(Shell("chant nonsense 001")), "an unknown operation is read as %+v", s)
}

func TestStep_equal(t *testing.T) {
	t.Parallel()
	work := Work.On("001")
	replay, all := work.Flag("replay"), work.Flag("all")
	switch {
	case !work.Equal(Work.On("001")), work.Equal(Work.On("002")), work.Equal(Edit.On("001")), work.Equal(replay), replay.Equal(all):
		t.Error("steps are compared otherwise than by what they are")
	case !(Step{}).IsZero(), work.IsZero(), Help().IsZero():
		t.Error("a step is taken for none, or none for a step")
	case !(Step{}).Or(work).Equal(work), !replay.Or(work).Equal(replay):
		t.Error("Or does not prefer the first step")
	case work.AsksHelp(), !Work.Help().AsksHelp():
		t.Error("help is taken for another step, or another step for help")
	}
}

// The arguments have the names under which a tool takes them.
func TestStep_given(t *testing.T) {
	t.Parallel()
	given, ok := Merge.On("001").Flag("auto").Set("provider", "x").NamedArgs()
	want := []NamedArg{{"id", "001"}, {"auto", true}, {"provider", "x"}}
	assert.True(t, ok, "%v, %v, want %v", given, ok, want)
	assert.Equal(t, len(want), len(given), "%v, %v", given, want)
	for i := range want {
		assert.True(t, given[i] == want[i], "%v, want %v", given[i], want[i])
	}
	for _, s := range []Step{List.On("001"), Work.On("001", "002"), Work.On("001").Flag("force"), Work.On("001").Set("replay", "x"), Op("nonsense").On()} {
		given, ok := s.NamedArgs()
		assert.False(t, ok, "%s takes %v", s, given)
	}
}

// Values of variables become one mapping.
func TestStep_pairs(t *testing.T) {
	t.Parallel()
	given, ok := Add.On("T").Set("template", "x").Set("var", "a=b=c").Set("var", "d=").NamedArgs()
	assert.True(t, ok, "%v, %v", given, ok)
	assert.Equal(t, 3, len(given))
	assert.Equal(t, "vars", given[2].Name)
	assert.True(t, maps.Equal(given[2].Value.(map[string]any), map[string]any{"a": "b=c", "d": ""}), "%v, %v", given, ok)
}

// Every text is read and rendered unchanged.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "chant work 001 --replay", `chant add --group 001 "a b"`, "vi x", "git status && chant list", `a 'b' "c" \d`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { assert.Equal(t, text, Parse(text).String()) })
}
