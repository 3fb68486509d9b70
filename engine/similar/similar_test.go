package similar

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine/find/words"
)

// commands are documents as the registry of an agent has them.
func commands() []Doc {
	var docs []Doc
	for _, line := range []string{
		"git decide-branch working-branch: Decide whether to create branch based on task content",
		"git find-oldest descendant-branch: Search and merge oldest related branch",
		"git group-commit unstaged-changes: Commit changes in semantic units",
		"git list-select pr-branch: Select next target from PR-attached branch list",
		"git merge-up base-branch: Merge derived branch to parent branch",
		"meta build frontmatter: Generate C3L v0.5 compliant frontmatter",
		"meta create instruction: Create new instruction file",
		"repo list work-trees: Print every repository with its working trees",
		"net fetch 日本語: 文章を取得する Über",
	} {
		names, text, _ := strings.Cut(line, ": ")
		docs = append(docs, Doc{strings.Fields(names), text})
	}
	return docs
}

func TestSearch(t *testing.T) {
	t.Parallel()
	docs := commands()
	x := New(docs)
	for query, want := range map[string]string{
		"group changes and commit":   "group-commit",
		"committing":                 "group-commit",
		"oldest branches":            "find-oldest",
		"generate front matter":      "build",
		"create front matter":        "build",
		"front-matter":               "build",
		"frontmater":                 "build", // misspelt
		"genrate fromtmatter":        "build",
		"instrction":                 "create",
		"uncommitted":                "group-commit", // contains a word
		"repo":                       "list",         // begins a word
		"worktree":                   "list",         // written as two words
		"newinstruction":             "create",       // two words written as one
		"GROUP-COMMIT":               "group-commit",
		"groupCommit":                "group-commit",
		"git merge-up base-branch":   "merge-up",
		"merge into the parent":      "merge-up",
		"文章":                         "fetch",
		"日":                          "fetch",
		"uber":                       "fetch",
		"what is the next PR branch": "list-select",
	} {
		hits := x.Search(query, 3)
		if len(hits) == 0 || docs[hits[0].Doc].Names[1] != want {
			t.Errorf("%q found %v, want %q", query, hits, want)
		}
	}
	for _, query := range []string{"", "the of and", "--- ...", "zzzz", "?"} {
		if hits := x.Search(query, 0); len(hits) > 0 {
			t.Errorf("%q found %v", query, hits)
		}
	}
}

func TestSearch_bands(t *testing.T) {
	t.Parallel()
	docs := commands()
	x := New(docs)
	for i, d := range docs {
		hits := x.Search(d.Text, 0)
		if len(hits) == 0 || hits[0].Doc != i || hits[0].Score < 0.8 {
			t.Errorf("the text of %d found %v", i, hits)
		}
		if hits = x.Search(strings.Join(d.Names, " "), 1); len(hits) != 1 || hits[0].Doc != i || hits[0].Score < 0.5 {
			t.Errorf("the names of %d found %v", i, hits)
		}
	}
	for _, query := range []string{"bake a chocolate cake", "who wrote this novel"} {
		if hits := x.Search(query, 0); len(hits) > 0 && hits[0].Score >= 0.2 {
			t.Errorf("%q found %v", query, hits)
		}
	}
}

func TestSearch_ties(t *testing.T) {
	t.Parallel()
	docs := slices.Repeat([]Doc{{Names: []string{"same"}, Text: "the same words"}, {Text: "others"}}, 200)
	x := New(docs)
	hits := x.Search("same word", 0)
	if len(hits) != 200 {
		t.Fatalf("%d hits", len(hits))
	}
	for i, h := range hits {
		if h.Doc != 2*i {
			t.Fatalf("hit %d is %v", i, h)
		}
	}
	for _, most := range []int{1, 3, 70, 200, 500} {
		if some := x.Search("same word", most); !reflect.DeepEqual(some, hits[:min(most, len(hits))]) {
			t.Errorf("the first %d are %v", most, some)
		}
	}
}

// Among equal texts, names decide.
func TestSearch_equalTexts(t *testing.T) {
	t.Parallel()
	x := New([]Doc{{[]string{"git", "merge", "another-branch"}, "Merge the branch"}, {[]string{"git", "merge", "branch"}, "Merge the branch"}})
	hits := x.Search("merge the branch", 0)
	if len(hits) != 2 || hits[0].Doc != 1 || hits[0].Score == hits[1].Score || hits[1].Score < 0.8 {
		t.Errorf("%v", hits)
	}
}

func TestSearch_fewDocuments(t *testing.T) {
	t.Parallel()
	for _, docs := range [][]Doc{nil, {}, {{}}, {{}, {Names: []string{""}}}} {
		if hits := New(docs).Search("anything", 3); len(hits) > 0 {
			t.Errorf("%v: %v", docs, hits)
		}
	}
	x := New([]Doc{{Text: "Commit changes"}})
	if hits := x.Search("commit changes", 3); !reflect.DeepEqual(hits, []Hit{{0, 1}}) {
		t.Errorf("the only document: %v", hits)
	}
	if hits := x.Search("commit", 3); len(hits) != 1 || hits[0].Score < 0.4 || hits[0].Score > 0.8 {
		t.Errorf("half of the only document: %v", hits)
	}
}

// Words that are often in the same documents count for each other.
func TestSearch_learnedWords(t *testing.T) {
	t.Parallel()
	var docs []Doc
	for _, thing := range []string{"files", "rows", "users", "labels"} {
		docs = append(docs, Doc{[]string{"drop", thing}, "Delete and remove " + thing})
	}
	docs = append(docs, Doc{[]string{"purge"}, "Remove invoices"}, Doc{[]string{"print"}, "Print invoices"})
	for i := range 10 {
		docs = append(docs, Doc{[]string{"other"}, fmt.Sprintf("Show chapter %d", i)})
	}
	x := New(docs)
	hits := x.Search("delete invoices", 0)
	if len(hits) < 2 || docs[hits[0].Doc].Names[0] != "purge" {
		t.Errorf("%v", hits)
	}
	for _, h := range x.Search("delete", 0) {
		if docs[h.Doc].Names[0] == "purge" && h.Score >= 0.5 {
			t.Errorf("a document without the word has a score of %v", h.Score)
		}
	}
}

// Of a long query, only the beginning counts.
func TestSearch_longQuery(t *testing.T) {
	t.Parallel()
	docs := commands()
	x := New(docs)
	var unknown strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&unknown, " wxyz%dq", i)
	}
	for _, query := range []string{
		"oldest branch" + unknown.String(), "oldest branch " + strings.ReplaceAll(unknown.String(), " ", "-"),
		"oldest branch" + strings.Repeat(" oldest related branch", 100000),
	} {
		if hits := x.Search(query, 1); len(hits) != 1 || docs[hits[0].Doc].Names[1] != "find-oldest" {
			t.Errorf("%q... found %v", query[:30], hits)
		}
	}
}

func TestNew_deterministic(t *testing.T) {
	t.Parallel()
	docs := madeUp(300)
	x, y := New(docs), New(docs)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for n := i; n < 300; n += 8 {
				query := docs[n].Text + " " + docs[n].Names[1] + "x " + docs[(n+1)%300].Names[2][1:]
				if a, b := x.Search(query, 0), y.Search(query, 0); !reflect.DeepEqual(a, b) {
					t.Errorf("%q found %v and %v", query, a, b)
				}
			}
		})
	}
	wait.Wait()
}

// FuzzSearch checks the scores of any documents, one in a line, for any query.
func FuzzSearch(f *testing.F) {
	f.Add("git commit: Record changes\nmeta create-file: Create new file, then create it again", "create a fil")
	f.Add("a:b\n\n: \n", "")
	f.Add("x-y_z getUserId: 日本語テスト ｶﾞ ไทย\nÜber: ǅ ß ﬁ", "日 uber getuser-id yz\xff")
	f.Add(strings.Repeat("same: words words\n", 40), "words same wrods wordssame")
	f.Fuzz(func(t *testing.T, lines, query string) {
		var docs []Doc
		for line := range strings.Lines(lines) {
			names, text, _ := strings.Cut(line, ":")
			docs = append(docs, Doc{strings.Fields(names), text})
		}
		x := New(docs)
		hits := x.Search(query, 0)
		seen := map[int]bool{}
		for i, h := range hits {
			if h.Doc < 0 || h.Doc >= len(docs) || seen[h.Doc] {
				t.Fatalf("document %d of %d", h.Doc, len(docs))
			}
			seen[h.Doc] = true
			if !(h.Score > 0 && h.Score <= 1) {
				t.Fatalf("score %v", h.Score)
			}
			if i > 0 && compareHits(hits[i-1], h) >= 0 {
				t.Fatalf("%v before %v", hits[i-1], h)
			}
		}
		if best := x.Search(query, 3); !slices.Equal(best, hits[:min(3, len(hits))]) {
			t.Fatalf("the first are %v of %v", best, hits)
		}
		if again := New(docs).Search(query, 0); !slices.Equal(again, hits) {
			t.Fatalf("%v and then %v", hits, again)
		}
	})
}

// Every word within the allowed edits is a reading of a word, and no other.
func TestReadings_spellings(t *testing.T) {
	t.Parallel()
	x := New(madeUp(400))
	for i, f := range x.sorted() {
		if i%97 != 0 || len(f.text) < 5 {
			continue
		}
		word := f.text[:2] + "q" + f.text[3:]
		most := words.AllowedEdits(word)
		var want []string
		for _, g := range x.sorted() {
			switch edits := words.NewSpeller(word, most).Edits([]byte(g.text)); {
			case edits < 0 || edits > most:
			case edits < most:
				most, want = edits, []string{g.text}
			default:
				want = append(want, g.text)
			}
		}
		c := readingCollector{index: x}
		c.addSpellings(word)
		if len(c.list) != len(want) {
			t.Errorf("%q has %d readings, want %q", word, len(c.list), want)
		}
	}
}

// TestNew_threads builds the same index however many threads read the documents.
func TestNew_threads(t *testing.T) {
	t.Parallel()
	docs := madeUp(manyDocs + 1)
	one, two := build(docs, len(docs)).finish(), New(docs)
	if !slices.Equal(one.stems, two.stems) || !slices.Equal(one.counts, two.counts) || !slices.Equal(one.order, two.order) || !slices.Equal(one.places, two.places) ||
		!slices.Equal(one.ends, two.ends) || !slices.Equal(one.norms, two.norms) || !maps.Equal(one.forms, two.forms) || !maps.Equal(one.wholes, two.wholes) || !maps.Equal(one.terms, two.terms) {
		t.Error("the documents are indexed differently")
	}
}
