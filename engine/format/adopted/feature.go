package adopted

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"chant/engine/format/speckit"
	"chant/engine/spec"
)

// readFeature reads the criteria of a feature of spec-kit: its tasks, checklists, scenarios and success criteria.
func readFeature(files fs.FS, a *spec.Adopted) ([]item, error) {
	out, err := readTasks(files, a.Dir)
	if err != nil {
		return nil, err
	}
	for _, file := range a.Files {
		below := strings.TrimPrefix(file, a.Dir+"/")
		if in, _ := path.Split(below); below != "checklist.md" && (in != "checklists/" || path.Ext(below) != ".md") {
			continue
		}
		boxes, err := readBoxes(files, file, checklists)
		if err != nil {
			return nil, err
		}
		out = append(out, boxes...)
	}
	feature, err := speckit.Open(files, a.Dir)
	if err != nil {
		return nil, err
	}
	text := path.Join(a.Dir, "spec.md")
	statement := func(of group, story, key, said string, line int) {
		out = append(out, item{group: of, story: story, Criterion: spec.Criterion{
			Key: key, Text: key + ": " + spec.OneLine(strings.ReplaceAll(said, "**", "")), File: text, Line: line, Boxless: true,
		}})
	}
	for _, story := range feature.Stories {
		for i, s := range story.Scenarios {
			statement(scenarios, story.ID, fmt.Sprintf("%s.%d", story.ID, i+1), s.Text, s.Line)
		}
	}
	for _, s := range feature.SuccessCriteria {
		statement(successCriteria, "", s.ID, s.Text, s.Line)
	}
	return out, nil
}

func describeFeature(files fs.FS, dir string) (d Description) {
	feature, err := speckit.Open(files, dir)
	if missing := (*speckit.NotFoundError)(nil); errors.As(err, &missing) {
		return d
	}
	d.Title, d.Phase = feature.Title, string(feature.Phase)
	d.countTasks(files, dir)
	return d
}
