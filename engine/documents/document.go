package documents

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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

// key identifies the document and its text in a segment, "" if the stamp of the file does not identify its text.
func (d *Document) key(at stamp.Stamp) string {
	if d.Tree == "" {
		return d.Path + "\x00" + d.Blob
	}
	if !at.Known() {
		return ""
	}
	out := append([]byte(d.Path), 0)
	for _, v := range []uint64{uint64(at.Modified), uint64(at.Changed), uint64(at.Size), at.Inode} {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return string(out)
}

// list lists all documents with their present stamps. It reads none of them.
func (s *Searcher) list(ctx context.Context) error {
	plain, plainErr := []Document(nil), error(nil)
	var wg sync.WaitGroup
	wg.Go(func() { plain, plainErr = s.listPlain(ctx) }) // reading git's index takes as long as the rest
	versions, err := s.query.Versions(ctx)
	prompts, promptErr := s.listPrompts()
	wg.Wait()
	if err := cmp.Or(err, promptErr, plainErr); err != nil {
		return err
	}
	docs := make([]Document, 0, len(versions)+len(prompts)+len(plain))
	for _, v := range versions {
		kind := Spec
		if v.Archived {
			kind = Archived
		}
		docs = append(docs, Document{Kind: kind, ID: v.ID, Source: v.Source})
	}
	docs = append(append(docs, prompts...), plain...)
	stampAll(docs)
	for _, d := range docs {
		if d.Kind != Plain || d.at.Size <= longestPlain {
			s.docs = append(s.docs, d)
		}
	}
	return nil
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

// listPlain lists the Markdown files of the repository, other than those of chant.
func (s *Searcher) listPlain(ctx context.Context) (docs []Document, err error) {
	paths, err := s.query.TrackedFiles(ctx)
	if err != nil {
		return nil, err
	}
	last := ""
	for _, file := range paths {
		if file == last || strings.HasPrefix(file, store.Dir+"/") || !strings.HasSuffix(file, ".md") {
			continue
		}
		last = file // a file that is not merged is listed several times
		docs = append(docs, Document{Kind: Plain, Source: store.Source{Path: file, Tree: s.query.Home()}})
		if len(docs) == mostPlain {
			break
		}
	}
	return docs, nil
}

// stampAll reads the stamps of all files, folder by folder, which spares the kernel the paths to them.
func stampAll(docs []Document) {
	folders := map[string][]int{}
	for i, d := range docs {
		if d.Tree != "" {
			folder := d.Tree + "/" + path.Dir(d.Path)
			folders[folder] = append(folders[folder], i)
		}
	}
	for folder, numbers := range folders {
		names := make([]string, len(numbers))
		for i, n := range numbers {
			names[i] = path.Base(docs[n].Path)
		}
		stamps, _ := stamp.Sweep(filepath.FromSlash(folder), names) // reading the files shows what is wrong with each
		for i, at := range stamps {
			docs[numbers[i]].at = at
		}
	}
}

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
