package find

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"chant/engine/search/words"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// inBrackets returns an excerpt with its marks in brackets.
func inBrackets(e Excerpt) string {
	var b strings.Builder
	at := 0
	for _, m := range e.Marks {
		b.WriteString(e.Text[at:m.From] + "[" + e.Text[m.From:m.To] + "]")
		at = m.To
	}
	return fmt.Sprintf("%d: %s", e.Line, b.String()+e.Text[at:])
}

// typed returns a query that is still being typed.
func typed(text string) Query {
	q := ParseQuery(text)
	q.Prefix = true
	return q
}

func TestExcerpts(t *testing.T) {
	t.Parallel()
	const text = "# Limit failed logins\r\n\nAfter five attempts the account is locked.\nCall `lockAccount` or lock_account to lock it.\n\nA login that succeeds starts over.\nÜber Köln: 日本語の文章\n"
	for _, c := range []struct {
		query string
		n     int
		want  []string
	}{
		{"login", 3, []string{"1: # Limit failed [logins]", "6: A [login] that succeeds starts over."}},
		{"limits succeed", 2, []string{"1: # [Limit] failed logins", "6: A login that [succeeds] starts over."}},
		{"account attempts", 1, []string{"3: After five [attempts] the [account] is locked."}},
		{"lockAccount", 1, []string{"4: Call `[lockAccount]` or [lock_account] to [lock] it."}},
		{"acount", 1, []string{"4: Call `lock[Account]` or lock_[account] to lock it."}},
		{"atempts", 3, []string{"3: After five [attempts] the account is locked."}},
		{"startsover", 3, []string{"6: A login that succeeds [starts over]."}},
		{"lock account", 1, []string{"4: Call `[lockAccount]` or [lock_account] to [lock] it."}},
		{"uber koln", 3, []string{"7: [Über] [Köln]: 日本語の文章"}},
		{"日本語", 3, []string{"7: Über Köln: [日本語]の文章"}},
		{"succ", 3, []string{"6: A login that [succeeds] starts over."}},
		{"absent", 3, nil},
		{"the", 3, nil},
	} {
		var got []string
		for _, e := range Excerpts(text, typed(c.query), c.n) {
			got = append(got, inBrackets(e))
		}
		assert.Equal(t, c.want, got, "%q:\n%s\nwant\n%s", c.query, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
	}
}

// Words that have a stem of the query are recognised by how they begin.
func TestExcerpts_beginnings(t *testing.T) {
	t.Parallel()
	list := strings.Fields("dying die skies sky lying tying news ugly early happily cries cried ties agreed hoping hopping sized " +
		"troubled conflated luxuriated relational conditionally vietnamization predication operator feudalism decisiveness " +
		"hopefulness callousness formality sensitivity sensibility triplicate formative formalize electricity goodness " +
		"revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent " +
		"adoption communism activate angularity homologous effective bowdlerize succeeding exceeds abilities ability's yes by say")
	for _, word := range list {
		m := newMatcher(Query{words: []queryWord{{word: word, stem: words.Stem(word)}}})
		if !m.beginsLikeStem(word) {
			t.Errorf("%q does not begin like its stem %q", word, words.Stem(word))
		}
	}
}

func TestExcerpt_Cut(t *testing.T) {
	t.Parallel()
	e := Excerpts("one two three four five six seven eight nine ten eleven twelve", ParseQuery("eight twelve"), 1)[0]
	for width, want := range map[int]string{
		80: "1: one two three four five six seven [eight] nine ten eleven [twelve]",
		20: "1: …even [eight] nine te…",
		30: "1: … seven [eight] nine ten eleven…",
	} {
		assert.Equal(t, want, inBrackets(e.Cut(width)), "%d", width)
	}
}

func TestExcerpts_rangesAreWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, query := rapid.String().Draw(t, "text"), rapid.String().Draw(t, "query")
		lines := strings.Split(text, "\n")
		for _, e := range Excerpts(text+"\n"+query, typed(query), 3) {
			if e.Line <= len(lines)-1 && e.Text != withoutEnd(lines[e.Line-1]) {
				t.Fatalf("line %d is %q, not %q", e.Line, lines[e.Line-1], e.Text)
			}
			cut := e.Cut(rapid.IntRange(3, 40).Draw(t, "width"))
			for _, x := range []Excerpt{e, cut} {
				at := 0
				for _, m := range x.Marks {
					if m.From < at || m.To <= m.From || m.To > len(x.Text) || utf8.ValidString(x.Text) && !utf8.ValidString(x.Text[m.From:m.To]) {
						t.Fatalf("mark %v in %q", m, x.Text)
					}
					at = m.To
				}
			}
		}
	})
}
