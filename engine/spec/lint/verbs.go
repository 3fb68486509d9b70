package lint

import (
	"strings"
	"sync"
	"unicode"
)

// shortWords is the largest number of words in a criterion that is checked for a verb.
const shortWords = 5

// lacksVerb reports whether a short criterion in ASCII letters has no verb.
func lacksVerb(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(words) == 0 || len(words) > shortWords {
		return len(words) == 0 && text != ""
	}
	if strings.EqualFold(words[0], "no") {
		return false // "No warnings" is a statement
	}
	for _, w := range words {
		if strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII }) || isVerb(w) {
			return false
		}
	}
	return true
}

// startsWithVerb reports whether a text begins with a verb in its base form.
func startsWithVerb(text string) bool {
	text = strings.TrimLeft(text, " *_`[]xX")
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	return plainVerbs()[strings.ToLower(text[:end])]
}

// isVerb reports whether a word is a form of a verb.
func isVerb(word string) bool {
	word = strings.ToLower(word)
	verbs := plainVerbs()
	if verbs[word] || oddVerbs()[word] {
		return true
	}
	for _, end := range []string{"s", "es", "d", "ed", "ing"} {
		stem, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		if verbs[stem] || end == "ing" && verbs[stem+"e"] {
			return true
		}
		if base, ok := strings.CutSuffix(stem, "i"); ok && verbs[base+"y"] { // applies, applied
			return true
		}
		if n := len(stem); len(end) > 1 && n > 2 && stem[n-1] == stem[n-2] && verbs[stem[:n-1]] { // stopped, running
			return true
		}
	}
	return false
}

// oddVerbs are verbs that stand in one form, and forms that follow no rule.
var oddVerbs = sync.OnceValue(func() map[string]bool {
	return set(`is isn't are aren't was wasn't were weren't be been being has hasn't have haven't had can can't cannot could
		couldn't must mustn't may might should shouldn't shall will won't would wouldn't do does doesn't don't did didn't done
		ran built shown wrote written kept made sent found gave given held left lost met met put read said seen set shut spent
		taken thrown told understood went gone began begun broke broken chosen drawn fell fallen got grew grown hidden hung
		knew known led lay lit ran rose sat shot sunk split stood stuck tore won`)
})

// plainVerbs are what specs ask for, in their plain form.
var plainVerbs = sync.OnceValue(func() map[string]bool {
	return set(`abort accept add adjust agree align allow analyze answer append apply archive ask assert assign attach audit avoid
		backfill balance batch become begin bind block boot bound break bring build bump bundle cache calculate call cancel catch
		change check choose clean cleanup clear clone close collapse collect combine come commit compare compile complete
		compute configure confirm connect consider consolidate contain continue convert copy correct cost count cover crash create cut deal
		debug decide declare decode decouple dedupe default defer define delegate delete demonstrate deny depend deploy
		deprecate derive describe design detach detect determine disable discard display document download drop dump
		duplicate edit eliminate embed emit enable encode encounter end enforce ensure enter escape establish evaluate examine exceed
		exclude execute exist exit expand expect explain expire export expose extend extract fail fall fetch fill filter find
		feed feel finish fit fix flag flush follow force format forward function gather generate get give go group greet grow guard hand handle hang
		happen hear help hide hold identify ignore implement import improve include increase indicate inform inherit initialize inject
		insert inspect install integrate introduce invalidate investigate invoke isolate iterate join keep kill know land launch
		lead leak learn leave let limit link lint list listen load localize lock log look loop lose lower maintain make manage map mark
		match mean measure meet mention merge migrate mirror miss mock modify monitor mount move name need negotiate normalize note notify
		observe offer omit open optimize order organize output override own package paginate parse pass patch pause pay perform
		persist pick place plan play point poll populate port post prefer prepare preserve prevent print proceed process produce profile prompt
		propagate propose protect prove provide publish pull purge push query queue quit raise rank reach react read rebase
		rebuild receive recognize recommend record recover redirect reduce refactor refer reference reflect refresh refuse
		register reject release reload rely remain remember remove rename render reorganize repair repeat replace reply report
		request require rescue reset resize resolve respect respond restart restore restrict resume retain retry return reuse
		review revert rewrite roll rotate round route run sanitize satisfy save say scale scan schedule scroll search seed select send
		separate serialize serve set setup share ship show shrink sign simplify skip sleep solve sort speak specify spend split stand start
		state stay stop store strip structure study submit succeed suggest summarize supersede support survive suspend swap
		switch synchronize take tell terminate test think throw tick time toggle touch trace track transform translate treat trigger
		trim truncate try tune turn type understand undo unify uninstall unlock unmount update upgrade upload use validate vanish
		verify view wait wake walk want warn watch wear win work wrap write yield`)
})

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
