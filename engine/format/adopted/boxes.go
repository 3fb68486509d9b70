package adopted

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
)

// ErrGone is returned by Tick if the file no longer has the criterion.
var ErrGone = errors.New("the criterion is no longer in its file")

// readBoxes reads the boxes of one file as criteria; there are none without the file.
func readBoxes(files fs.FS, file string, of group) ([]item, error) {
	src, err := fs.ReadFile(files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []item
	for _, t := range tasklist.Parse(src).Tasks {
		out = append(out, item{group: of, story: t.Story, Criterion: spec.Criterion{
			Key: t.ID, Text: spec.OneLine(t.Text), Checked: t.Done, File: file, Line: t.Line, Offset: t.Offset,
		}})
	}
	return out, nil
}

// readTasks reads tasks.md of the folder.
func readTasks(files fs.FS, dir string) ([]item, error) {
	return readBoxes(files, path.Join(dir, "tasks.md"), tasks)
}

// Tick ticks or unticks the box of a criterion in the bytes of its file, which may have changed since the criterion was
// read. One byte differs, or none. Error: ErrGone.
func Tick(src []byte, c spec.Criterion, done bool) ([]byte, error) {
	var same []tasklist.Task
	for _, t := range tasklist.Parse(src).Tasks {
		// Lines may have moved since, so the text is compared first.
		if spec.OneLine(t.Text) == c.Text {
			same = append(same, t)
		}
	}
	if len(same) == 0 {
		return nil, ErrGone
	}
	at := same[0]
	// Of several with the same text, the one on the line that was read is meant.
	for _, t := range same {
		if t.Line == c.Line {
			at = t
		}
	}
	return tasklist.TickAt(src, at.Offset, done)
}

// Unticked returns the files of the folder without the ticks of the spec's criteria, for doing the work again.
func Unticked(files fs.FS, a *spec.Adopted) ([]File, error) {
	var out []File
	for _, c := range a.Criteria {
		if !c.InSource() || !c.Checked {
			continue
		}
		at := slices.IndexFunc(out, func(f File) bool { return f.Path == c.File })
		if at < 0 {
			src, err := fs.ReadFile(files, c.File)
			if err != nil {
				return nil, err
			}
			at = len(out)
			out = append(out, File{Path: c.File, Content: src})
		}
		next, err := Tick(out[at].Content, c, false)
		if err != nil {
			return nil, err
		}
		out[at].Content = next
	}
	return out, nil
}

// MergeBoxes merges three versions of a file that differ in their boxes only. ok is false if they differ in anything else,
// also in line ends.
func MergeBoxes(base, ours, theirs []byte) (merged []byte, ok bool) {
	plain := untick(".md", base)
	if !bytes.Equal(plain, untick(".md", ours)) || !bytes.Equal(plain, untick(".md", theirs)) {
		return nil, false
	}
	merged = bytes.Clone(ours)
	for i := range merged {
		// A box is as the side has it that changed it.
		if ours[i] == base[i] {
			merged[i] = theirs[i]
		}
	}
	return merged, true
}
