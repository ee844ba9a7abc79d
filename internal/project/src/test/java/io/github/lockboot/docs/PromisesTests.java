package io.github.lockboot.docs;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sentences that promise most are on their pages, and the tests that prove them
 * exist. A sentence that becomes stronger than its test has to change here, too.
 */
class PromisesTests {

	private static final Pattern STRONG = Pattern
		.compile("\\b([Nn]ever|[Aa]lways|exactly|at most|Nobody|guarantee\\w*)\\b");

	private final Page promises = Page.promises();

	@Test
	void sentencesAreOnTheirPages() {
		for (Page page : Page.all()) {
			String text = page.text().replaceAll("\\s+", " ");
			assertThat(rows(page)).as(page + " has").allSatisfy((row) -> assertThat(text).contains(row.get(0)));
		}
	}

	@Test
	void testsExist() {
		assertThat(Page.all().stream().flatMap((page) -> rows(page).stream())).isNotEmpty()
			.flatMap((row) -> Arrays.asList(row.get(1).replace("`", "").split(", ")))
			.allSatisfy((test) -> {
				String[] parts = test.split("\\.");
				assertThat(Sources.test(parts[0] + ".java")).contains("void " + parts[1] + "(");
			});
	}

	@Test
	void everySentenceBelongsToAPage() {
		long sentences = this.promises.text().lines().filter((line) -> line.startsWith("| ")).count();
		Stream<Page> pages = Page.all().stream().filter((page) -> !rows(page).isEmpty());
		assertThat(Page.all().stream().mapToLong((page) -> rows(page).size()).sum())
			.isEqualTo(sentences - 2 * pages.count());
	}

	@Test
	void strongSentencesHaveATest() {
		assertThat(Page.all()).filteredOn((page) -> !page.toString().equals("properties.md")) // Javadoc
			.flatMap((page) -> {
				String text = page.prose().replaceAll("\\s+", " ");
				for (List<String> row : rows(page)) {
					text = text.replace(Page.withoutTargets(row.get(0)), "");
				}
				return Arrays.stream(text.replaceAll("`[^`]*`", "").split("(?<=[.;:!?|])\\s"))
					.filter((sentence) -> STRONG.matcher(sentence).find())
					.map((sentence) -> page + ": " + sentence)
					.toList();
			})
			.as("sentences that promises.md has not")
			.isEmpty();
	}

	@Test
	void everySituationHasATest() {
		Page methods = Page.docs("locking-methods.md");
		assertThat(methods.table("What stays unlocked")).hasSizeGreaterThan(20)
			.map((row) -> row.get(0))
			.isSubsetOf(rows(methods).stream().map((row) -> row.get(0)).toList());
	}

	private List<List<String>> rows(Page page) {
		return this.promises.table(page.toString());
	}

}
