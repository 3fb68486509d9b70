package documents

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/stamp"
	"chant/engine/store"
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
	longestPlain = 1 << 20
	mostPlain    = 2000
)

// Document is one text that can be searched: a spec in its current version, an archived spec, a prompt or a Markdown
// file of the repository.
type Document struct {
	Kind Kind
	ID   string // of a spec
	store.Source

	at stamp.Stamp // of the file when the documents were listed
}

// appendKey appends what identifies the document and its text in a segment; nothing if the stamp of the file does not
// identify its text.
func (d *Document) appendKey(out []byte, at stamp.Stamp) []byte {
	if d.Tree != "" && !at.Known() {
		return out
	}
	out = append(append(out, d.Path...), 0)
	if d.Tree == "" {
		return append(out, d.Blob...)
	}
	for _, v := range [...]uint64{uint64(at.Modified), uint64(at.Changed), uint64(at.Size), at.Inode} {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return out
}

// list lists all documents with their present stamps, in the order of their paths. It reads none of them. meanwhile is
// called while the stamps are read; it takes about as long.
func (s *Searcher) list(ctx context.Context, meanwhile func()) error {
	listPlain := s.query.Documentation()
	versions, err := s.query.Versions(ctx)
	if err != nil {
		return err
	}
	docs, err := s.listPrompts()
	if err != nil {
		return err
	}
	docs = slices.Grow(docs, len(versions)+mostPlain)
	for _, v := range versions {
		kind := Spec
		if v.Archived {
			kind = Archived
		}
		docs = append(docs, Document{Kind: kind, ID: v.ID, Source: v.Source})
	}
	sortPaths(docs)
	var plain []Document
	var wg sync.WaitGroup
	wg.Go(func() { stampAll(docs) })
	wg.Go(func() {
		var paths []string
		if paths, err = listPlain(ctx); err == nil {
			plain = plainDocuments(s.query.Home(), paths)
		}
	})
	meanwhile()
	wg.Wait()
	if err != nil {
		return err
	}
	s.docs = append(docs, plain...)
	sortPaths(s.docs)
	return nil
}

func sortPaths(docs []Document) {
	slices.SortFunc(docs, func(a, b Document) int { return strings.Compare(a.Path, b.Path) })
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
func plainDocuments(home string, paths []string) []Document {
	var docs []Document
	for _, file := range paths[:min(len(paths), mostPlain)] {
		docs = append(docs, Document{Kind: Plain, Source: store.Source{Path: file, Tree: home}})
	}
	stampAll(docs)
	return slices.DeleteFunc(docs, func(d Document) bool { return d.at.Size > longestPlain })
}

// stampAll reads the stamps of all files, folder by folder, which spares the kernel the paths to them. Documents of one
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
			stamps, _ := stamp.Sweep(dir, names) // reading the files shows what is wrong with each
			for i, at := range stamps {
				docs[i].at = at
			}
		}
		docs = docs[n:]
	}
}

// folderOf returns a path up to and with its last slash.
func folderOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

// text is what is searched of a document.
type text struct {
	title, names, body string
	at                 stamp.Stamp // of the file that was read, zero if it had not settled
}

// read reads the text of a document; ok is false if it is gone or cannot be read.
func (s *Searcher) read(ctx context.Context, d *Document) (t text, ok bool) {
	if d.Kind == Plain { // a link leads to another document, or out of the repository
		info, err := os.Lstat(filepath.Join(d.Tree, filepath.FromSlash(d.Path)))
		if err != nil || !info.Mode().IsRegular() || info.Size() > longestPlain {
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
			t.title, t.body = got.Title, string(got.Doc.Body())
			t.names += " " + strings.Join(got.Fields.Labels, " ")
		}
	} else if doc, err := markdown.Parse(d.Path, src); err == nil {
		t.title, t.body = doc.Title(), string(doc.Body())
	}
	return t, true
}
