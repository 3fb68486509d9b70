package markdown

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// piece is one entry of a random front matter, with the text around it.
type piece struct {
	above, key, entry string
}

// values are values as people write them, "K" standing for the key. None ends in lines that only its
// neighbour decides about.
func values() []string {
	return []string{
		"K: plain", "K:   spaced   ", "K: text # note", "K: 'it''s'\t# note", `K: "a \" # b" # note`, "K:", "K: # note", "K: ~",
		"K: 12", "K: yes", "K: 2026-01-24T12:14:59Z", "K: one\n  two", "K: |\n  a\n  # b\n\n  ---", "K: >- # note\n  a\n  b", "K: |+\n  a\n",
		"K: [a, 'b # c', {d: e}] # note", "K: [a,\n  b # c\n  ]", "K: []", "K: {a: 1}", "K:\n- a\n- b # c", "K:\n  - a\n\n  # c\n  - b",
		"K: # note\n  a: 1\n  b:\n    - c", "K: &anchor x", "K: !!str 12 # note", "K: 漢字 # ü", "\"K\": x # note", "'K' : y",
	}
}

// pieces draws a front matter with n keys at most.
func pieces(t *rapid.T) []piece {
	n := rapid.IntRange(0, 6).Draw(t, "keys")
	all := make([]piece, n)
	for i := range all {
		key := fmt.Sprintf("key%d", i)
		value := rapid.SampledFrom(values()).Draw(t, "value")
		above := rapid.SampledFrom([]string{"", "", "# about\n", "\n", "\n# about: it\n\n"}).Draw(t, "above")
		all[i] = piece{above, key, strings.ReplaceAll(value, "K", key) + "\n"}
	}
	return all
}

func render(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.above + p.entry)
	}
	return b.String()
}

// anyValue draws a value that decodes into itself.
func anyValue(t *rapid.T) any {
	text := rapid.OneOf(
		rapid.StringMatching(`[a-z0-9 :#'"\-\n\t,\[\]{}&*!|>%@]{0,12}`),
		rapid.String(),
		rapid.SampledFrom([]string{"done", "yes", "012", "1e3", "null", "~", "2026-11-20"}),
	)
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return rapid.Int().Draw(t, "int")
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		list := []any{}
		for _, s := range rapid.SliceOfN(text, 0, 4).Draw(t, "list") {
			list = append(list, s)
		}
		return list
	case 3:
		return map[string]any{"k": text.Draw(t, "text"), "l": []any{text.Draw(t, "text")}}
	default:
		return text.Draw(t, "text")
	}
}

// Whatever is set, it reads back, and every byte outside of the entry stays where it was.
func TestApply_property(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := pieces(t)
		at := rapid.IntRange(0, len(all)).Draw(t, "at")
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		bom := rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "bom")
		file := func(s string) string { return strings.ReplaceAll(s, "\n", eol) }
		before, after := render(all), ""
		if at < len(all) {
			before, after = render(all[:at])+all[at].above, render(all[at+1:])
		}
		before, after = file(bom+"---\n"+before), file(after+"---\n# Body\n- [ ] x\n---\n")
		key, entry := "new", ""
		if at < len(all) {
			key, entry = all[at].key, file(all[at].entry)
		}
		d, err := Parse("p.md", []byte(before+entry+after))
		if err != nil {
			t.Fatal(err)
		}
		value := anyValue(t)
		next, err := d.Apply(Set(key, value))
		if err != nil {
			t.Fatalf("%q in %q: %v", value, d.Bytes(), err)
		}
		got := string(next.Bytes())
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
			t.Fatalf("set %s to %q:\nold %q\nnew %q", key, value, d.Bytes(), got)
		}
		var have any
		if ok, err := next.Get(key, &have); !ok || err != nil || !reflect.DeepEqual(have, value) {
			t.Fatalf("reads %#v, want %#v (%v) in %q", have, value, err, got)
		}
		again, err := next.Apply(Set(key, value))
		if err != nil || !bytes.Equal(again.Bytes(), next.Bytes()) {
			t.Fatalf("setting it again changed %q to %q, %v", got, again.Bytes(), err)
		}
		gone, err := next.Apply(Unset(key))
		if err != nil {
			t.Fatalf("unset in %q: %v", got, err)
		}
		// Blank lines may go along, lest a block scalar above takes them in.
		if text := string(gone.Bytes()); !strings.HasPrefix(text, before) || !strings.HasSuffix(text, strings.TrimLeft(after, "\r\n")) {
			t.Fatalf("unset %s:\nold %q\nnew %q", key, got, text)
		}
	})
}
