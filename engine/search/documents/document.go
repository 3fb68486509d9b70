package documents

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/markdown"
)

// Kind is what a document is.
type Kind string

// The kinds of documents.
const (
	Spec     Kind = "spec"
	Archived Kind = "archived"
	Prompt   Kind = "prompt"
	Plain    Kind = "documentation"
)

// Limits of the documentation that is searched.
const (
	maxPlainBytes = 1 << 20
	maxPlainFiles = 2000
)

// Document is one text that can be searched: a spec in its current version, an archived spec, a prompt or a Markdown
// file of the repository.
type Document struct {
	Kind Kind
	ID   string // of a spec
	store.Source

	at disk.Stamp // of the file when the documents were listed
}

// appendKey appends what identifies the document and its text in a segment; nothing if the stamp of the file does not
// identify its text.
func (d *Document) appendKey(out []byte, at disk.Stamp) []byte {
	// A file without a settled stamp could have another text with the same key.
	if d.Tree != "" && !at.Known() {
		return out
	}
	out = append(append(out, d.Path...), 0)
	if d.Tree == "" {
		return append(out, d.Blob...)
	}
	return at.Append(out)
}

// list lists all documents with their present stamps. It reads none of them. meanwhile is called while the stamps are
// read, which takes longer than all else.
func (s *Searcher) list(ctx context.Context, meanwhile func()) error {
	home := s.query.Home()
	files, err := s.query.SpecFiles()
	if err != nil {
		return err
	}
	var stamps []disk.Stamp
	var plain []Document
	var plainErr error
	var wg sync.WaitGroup
	wg.Go(func() {
		// If stamps cannot be read, reading the files reports why.
		stamps, _ = s.query.SpecStamps()
	})
	if s.docs, err = s.listOwn(ctx, files); err == nil {
		wg.Go(func() { plain, plainErr = plainDocuments(ctx, s.query) })
		meanwhile()
		// Documents of spec files come first; their stamps are read by the goroutine above.
		stampAll(s.docs[len(files):])
	}
	wg.Wait()
	if err := cmp.Or(err, plainErr); err != nil {
		return err
	}
	for i := range stamps {
		// The current version of a spec may be in the worktree of a run, where home's stamp says nothing.
		if s.docs[i].Tree == home {
			s.docs[i].at = stamps[i]
		} else {
			stampAll(s.docs[i : i+1])
		}
	}
	s.docs = append(s.docs, plain...)
	s.files, s.others = len(files), make(map[string]int, len(s.docs)-len(files))
	for i, d := range s.docs[len(files):] {
		s.others[d.Path] = len(files) + i
	}
	return nil
}

// listOwn lists the specs and the prompts; first come those of spec files, in their order.
func (s *Searcher) listOwn(ctx context.Context, files []string) ([]Document, error) {
	versions, err := s.query.Versions(ctx, files)
	if err != nil {
		return nil, err
	}
	docs := make([]Document, 0, len(versions)+maxPlainFiles)
	for _, v := range versions {
		kind := Spec
		if v.Archived {
			kind = Archived
		}
		docs = append(docs, Document{Kind: kind, ID: v.ID, Source: v.Source})
	}
	prompts, err := s.listPrompts()
	return append(docs, prompts...), err
}

// listPrompts lists the prompts of the project.
func (s *Searcher) listPrompts() (docs []Document, err error) {
	home := s.query.Home()
	err = fs.WalkDir(os.DirFS(home), store.PromptsDir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(name, ".md") {
			docs = append(docs, Document{Kind: Prompt, Source: store.Source{Path: name, Tree: home}})
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return docs, err
}

// plainDocuments returns the first files of the documentation with their stamps, without those that are too long.
func plainDocuments(ctx context.Context, q *store.Query) (docs []Document, err error) {
	paths, err := q.Documentation(ctx)
	if err != nil {
		return nil, err
	}
	for _, file := range paths[:min(len(paths), maxPlainFiles)] {
		docs = append(docs, Document{Kind: Plain, Source: store.Source{Path: file, Tree: q.Home()}})
	}
	stampAll(docs)
	// Long files are mostly generated, and would fill the index.
	return slices.DeleteFunc(docs, func(d Document) bool { return d.at.Size > maxPlainBytes }), nil
}

// stampAll reads the stamps of files, folder by folder, which spares the kernel the paths to them, if documents of one
// folder follow each other.
func stampAll(docs []Document) {
	for len(docs) > 0 {
		tree, folder := docs[0].Tree, folderOf(docs[0].Path)
		n := 1
		for n < len(docs) && docs[n].Tree == tree && folderOf(docs[n].Path) == folder {
			n++
		}
		if tree != "" {
			names := make([]string, n)
			for i := range names {
				names[i] = docs[i].Path[len(folder):]
			}
			dir := filepath.Join(tree, filepath.FromSlash(folder))
			// Reading the files reports what is wrong with each.
			stamps, _ := disk.Sweep(dir, names)
			for i, at := range stamps {
				docs[i].at = at
			}
		}
		docs = docs[n:]
	}
}

// folderOf returns a path up to and with its last slash.
func folderOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

// text returns the searched text of a document.
type text struct {
	title, names, body string
	whole              string     // of a spec, what is kept of it in texts
	at                 disk.Stamp // of the file that was read, zero if it had not settled
}

// namesOfTask returns what a task is also found by: its number, its people and the values of its custom fields.
func namesOfTask(f *taskfields.Fields) string {
	names := []string{string(f.Task), string(f.Assignee), string(f.Reporter), string(f.Subtitle)}
	for _, name := range slices.Sorted(maps.Keys(f.CustomFields)) {
		names = append(names, f.CustomFields[name].Values...)
	}
	return strings.Join(names, " ")
}

// commentsOf returns the texts of the comments in a spec.
func commentsOf(doc *markdown.Document) string {
	// lint reports comments that cannot be read.
	notes, _ := taskfields.ReadNotes(doc)
	var out strings.Builder
	for _, c := range notes.Comments {
		out.WriteString("\n" + c.Text + "\n")
	}
	return out.String()
}

// read reads the text of a document; ok is false if it is gone or cannot be read.
func (s *Searcher) read(ctx context.Context, d *Document) (t text, ok bool) {
	// A link leads to another document, or out of the repository.
	if d.Kind == Plain {
		info, err := os.Lstat(filepath.Join(d.Tree, filepath.FromSlash(d.Path)))
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxPlainBytes {
			return t, false
		}
	}
	src, at, err := s.query.Read(ctx, d.Source)
	if err != nil {
		return t, false
	}
	t = text{names: d.Path, body: string(src), at: at}
	if d.ID != "" {
		t.names = d.ID
		if got, err := s.query.Parse(d.ID, d.Path, src); err == nil {
			// Agents can read what is kept of it.
			t.title, t.body = got.Title, string(spec.BlankHeldOut(got.Doc).Body())
			t.names += " " + strings.Join(got.Fields.Labels, " ") + " " + namesOfTask(&got.Fields.Fields)
			t.body += commentsOf(got.Doc)
		}
		// Pages of results look for the query itself, also within words and across punctuation.
		t.whole = t.names + "\x00" + t.title + "\n" + t.body
	} else if doc, err := markdown.Parse(d.Path, src); err == nil {
		t.title, t.body = doc.Title(), string(doc.Body())
	}
	return t, true
}
