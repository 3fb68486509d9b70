package lint

import "slices"

// Rule is one thing that is checked.
type Rule struct {
	ID       string
	Text     string // one sentence
	Severity Severity
	Stops    bool // an error of this rule stops work
}

// The rules about files that are not specs or cannot be read. The operations that read these files report them.
// PromptRule is also used for the prompts that specs name.
const (
	ParseRule        = "parse"
	DuplicateKeyRule = "duplicate_key"
	IDRule           = "id"
	ConfigRule       = "config"
	PromptRule       = "prompt"
	TemplateRule     = "template"
	RulesRule        = "rules"
	// AlreadyTrueRule is checked only where the criteria of a spec are run before its work.
	AlreadyTrueRule = "already_true"
)

// Rules lists every rule.
func Rules() []Rule {
	return []Rule{
		{ParseRule, "The file can be read", Error, true},
		{DuplicateKeyRule, "No key of the front matter occurs twice", Error, true},
		{IDRule, "The file name is an id", Error, true},
		{ConfigRule, "The settings contain nothing unknown", Warning, false},

		{"title", "The spec has a title", Error, true},
		{"status", "The status is one that is stored in files", Warning, false},
		{"type", "The type is known", Warning, false},
		{"priority", "The priority is a word or a number that is known", Error, true},
		{"model", "The model is one word", Warning, false},
		{"provider", "The provider exists", Warning, false},
		{"runs_on", "Every label of runs_on is one that a machine can have", Error, true},
		{"script", "A spec that the provider shell works has a script", Warning, false},
		{PromptRule, "Every prompt exists, can be composed and uses known variables", Warning, false},
		{TemplateRule, "Every template of specs can be used, and declares the variables that it uses", Warning, false},
		{RulesRule, "Every file of rules can be read", Error, false},
		{"context", "Every file that is quoted to the agent can be read", Warning, false},
		{"unknown_key", "Every key of the front matter is known", Warning, false},
		{"near_key", "No key of the front matter is unread because of its case or a hyphen, and an approval has known keys", Error, true},
		{"task", "The keys of a task have their formats, and no other spec has its number", Warning, false},
		{"duplicate_item", "No list of the front matter has duplicates", Warning, false},
		{"entry", "Every entry of tracks, origin, informed_by and target_files can match a path", Warning, false},
		{"required", "The fields that the project requires are filled in", Error, true},

		{"dependency", "Every dependency exists", Error, true},
		{"member", "Every member exists", Error, true},
		{"cycle", "No spec waits for itself", Error, true},
		{"approval", "An approval says what was decided, by whom and when", Error, true},
		{"output_schema", "The output schema can be read", Error, true},

		{"source", "The folder that the spec adopts can be read, and says when its work is done", Error, true},
		{"openspec", "A change of OpenSpec that the spec adopts is valid, as openspec validate checks it", Error, false},

		{"criteria", "Something says when the spec is done", Warning, false},
		{"front_matter", "Keys are in the front matter, which begins on the first line", Error, true},
		{"box", "Every item of the criteria has a box that is written so that it counts", Error, true},
		{"unread", "Boxes are below the heading that makes them criteria", Error, true},
		{"open_criterion", "No criterion is open while no run is at work on the spec", Warning, false},
		{"empty_command", "The command of a criterion says what to run", Error, true},
		{"near_command", "What looks like the command of a criterion is one", Warning, false},
		{"dead_command", "The program that a criterion runs exists", Warning, false},
		{"lost_exit", "The exit code of what a criterion runs is not lost in its shell line", Warning, false},
		{"unmatched_input", "Every glob of verify.inputs matches a file", Warning, false},
		{"criterion_verb", "A criterion says what is or happens", Warning, false},
		{AlreadyTrueRule, "A criterion does not hold before the work, and a guard does", Warning, false},
		{"held_out", "No commit has held-out criteria in the clear", Warning, false},
		{"guards", "Every guard is the number of a criterion", Warning, false},
		{"red_for", "Tests that must fail can land: with a spec that depends on them and has their commands", Error, true},
		{"duplicate_criterion", "No criterion occurs twice", Warning, false},

		{"documentation", "Documentation names the files that it tracks and writes", Warning, false},
		{"research", "Research names the files that it starts from and writes", Warning, false},
		{"driver", "A driver has members", Warning, false},

		{"complexity_criteria", "The spec does not have too many criteria", Warning, false},
		{"complexity_files", "The spec does not have too many target files", Warning, false},
		{"complexity_words", "The spec does not have too many words", Off, false},
		{"coupling", "A spec that the text mentions is also named in the front matter", Warning, false},
		{"model_waste", "A very small spec does not use a costly model", Warning, false},
		{"overlap", "Open specs that do not wait for each other have different target files", Warning, false},
	}
}

// ruleNamed returns the rule with this id.
func ruleNamed(id string) (Rule, bool) {
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return all[i], true
}
