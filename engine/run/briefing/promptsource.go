package briefing

import (
	"fmt"

	"chant/engine/spec"
)

// spellSource describes the folder that a spec adopts: its files, and how its criteria are ticked.
func spellSource(a *spec.Adopted) string {
	if a == nil {
		return ""
	}
	text := fmt.Sprintf("\n\nWhat to do is described in the folder `%s`. Read all of its files before you begin:\n\n", a.Dir)
	for _, file := range a.Files {
		text += fmt.Sprintf("- `%s`\n", file)
	}
	return text + `
Tick the box of a task in its file as soon as the task is done, and change nothing else in that line. A criterion that has
no box there is checked by the tool chant_criterion_check with the name given in the list of what has to hold, or by adding
that name to the list ` + "`met`" + ` in the front matter of the spec. Do not move the folder, and do not archive it: that is
done when the work lands.`
}
