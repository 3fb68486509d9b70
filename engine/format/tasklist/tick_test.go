package tasklist

import (
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestTick(t *testing.T) {
	t.Parallel()
	const src = "```\n- [ ] T001 example\n```\n- [ ] T001 a\n- [X] T010 b\n  * [ ] 1.1 c\n- [\t] T1 d\n- [ ] T002 e\n- [x] t002 f\n- [ ] g\n"
	tests := []struct {
		id      string
		done    bool
		changed string // the line that differs, as it is then
		err     string
	}{
		{"T001", true, "- [x] T001 a", ""},
		{" t001 ", true, "- [x] T001 a", ""},
		{"T001", false, "", ""},
		{"T010", true, "", ""},
		{"T010", false, "- [ ] T010 b", ""},
		{"1.1", true, "  * [x] 1.1 c", ""},
		{"T1", true, "- [x] T1 d", ""},
		{"T1", false, "", ""},
		{"T002", true, "", `task "T002" is on several lines: 8, 9`},
		{"T0", true, "", `no task "T0" (similar: T001, T010, T002, t002, T1)`},
		{"T9", true, "", `no task "T9" (similar: T1)`},
		{"T10", true, "", `no task "T10" (similar: T010, T1)`},
		{"line 10", true, "", `no task "line 10" (similar: T010)`},
		{"", true, "", `no task ""`},
		{"g", true, "", `no task "g"`},
	}
	for _, tt := range tests {
		for _, eol := range []string{"\n", "\r\n"} {
			in := strings.ReplaceAll(src, "\n", eol)
			out, err := Tick([]byte(in), tt.id, tt.done)
			if tt.err != "" {
				assert.Error(t, err, "%q: error", tt.id)
				assert.Equal(t, tt.err, err.Error(), "%q: error", tt.id)
				assert.True(t, out == nil, "%q: error %v, want %q", tt.id, err, tt.err)
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", tt.id, err)
				continue
			}
			before, after := strings.Split(in, eol), strings.Split(string(out), eol)
			var changed []string
			for i := range before {
				if before[i] != after[i] {
					changed = append(changed, after[i])
				}
			}
			assert.Equal(t, tt.changed, strings.Join(changed, "|"), "%q %v: changed", tt.id, tt.done)
			assert.Equal(t, len(out), len(in), "%q %v: changed", tt.id, tt.done)
		}
	}
}

func TestTick_errorTypes(t *testing.T) {
	t.Parallel()
	src := []byte("- [ ] T001 a\n- [ ] T1 b\n- [ ] T1 c\n")
	_, err := Tick(src, "T01", true)
	missing, ok := errors.AsType[*NotFoundError](err)
	assert.True(t, ok, "T01: %#v", err)
	assert.Equal(t, []string{"T001", "T1"}, missing.Near, "T01: %#v", err)
	_, err = Tick(src, "t1", true)
	several, ok := errors.AsType[*AmbiguousError](err)
	assert.True(t, ok, "t1: %#v", err)
	assert.Equal(t, []int{2, 3}, several.Lines, "t1: %#v", err)
}

func TestTickAt(t *testing.T) {
	t.Parallel()
	src := []byte("---\n- [ ] same\n- [ ] same\n") // a rule, and no front matter
	second := Parse(src).Tasks[1].Offset
	out, err := TickAt(src, second, true)
	assert.NoError(t, err)
	assert.Equal(t, "---\n- [ ] same\n- [x] same\n", string(out))
	again, err := TickAt(out, second, true)
	assert.NoError(t, err)
	assert.Equal(t, string(out), string(again))
	back, err := TickAt(out, second, false)
	assert.NoError(t, err)
	assert.Equal(t, string(src), string(back))
	for _, offset := range []int{-1, 0, second - 1, second + 1, len(src), 1 << 40} {
		_, err := TickAt(src, offset, true)
		assert.IsError(t, err, ErrNoBox, "offset %d", offset)
	}
}
