package io.github.lockboot.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of the pages agree with the code.
 */
class TablesTests {

	private final Page methods = Page.docs("locking-methods.md");

	private final Page template = Page.docs("locking-by-hand.md");

	@Test
	void attributesAreThoseOfTheAnnotation() {
		assertThat(
				this.methods.table("The attributes").stream().flatMap((row) -> Arrays.stream(row.get(0).split(", "))))
			.map(TablesTests::unquoted)
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(DistributedLock.class.getDeclaredMethods()).map(Method::getName).toList());
	}

	@Test
	void errorsAreTheExceptionsOfTheApi() {
		// only these files, because to read those of all types takes long
		List<String> exceptions = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.withImportOption((file) -> file.contains("Exception.class"))
			.importPackagesOf(LockException.class)
			.stream()
			.filter((type) -> type.getPackage().getName().equals(LockException.class.getPackageName()))
			.filter((type) -> type.isAssignableTo(LockException.class) && !type.isEquivalentTo(LockException.class))
			.map(JavaClass::getSimpleName)
			.toList();
		assertThat(Page.docs("troubleshooting.md").table("Errors")).map((row) -> unquoted(row.get(0)))
			.containsExactlyInAnyOrderElementsOf(exceptions);
	}

	@Test
	void everyAttributeIsInTheManual() {
		assertThat(DistributedLock.class.getDeclaredMethods()).extracting(Method::getName)
			.filteredOn((attribute) -> !attribute.equals("value"))
			.allSatisfy(
					(attribute) -> assertThat(this.methods.text()).containsPattern("(?m)^### .*`" + attribute + "`"));
	}

	@Test
	void methodsAreThoseOfTheTemplate() {
		assertThat(this.template.table("The template")).map((row) -> unquoted(row.get(0)))
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(LockOperations.class.getMethods()).map(Method::getName).distinct().toList());
	}

	@Test
	void componentsAreThoseOfARequest() {
		assertThat(Page.docs("lock-request.md").table("The lock request")).map((row) -> unquoted(row.get(0)))
			.containsExactlyElementsOf(
					Arrays.stream(LockRequest.class.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "Messages at the start", "Messages at run time", "A lock is lost" })
	void messagesAreThoseOfTheCode(String heading) {
		String code = Sources.main();
		List<List<String>> rows = Page.docs("troubleshooting.md").table(heading);
		assertThat(rows).isNotEmpty().allSatisfy((row) -> {
			assertThat(found("`([^`]+)`", row.get(0))).isNotEmpty()
				.allSatisfy((message) -> assertThat(code).contains(message.split("…")));
		});
	}

	@Test
	void addressesInMessagesLeadToPages() {
		assertThat(found("https://github.com/lockboot/lock-spring-boot/blob/main/([\\w./#-]*\\w)", Sources.main()))
			.isNotEmpty()
			.allSatisfy(Page.readme()::follow);
	}

	@Test
	void messagesNamePagesByTheirAddress() {
		assertThat(found("(\"[^\"\\n]*\\.md\\b[^\"\\n]*\")", Sources.main())).isNotEmpty()
			.allSatisfy((message) -> assertThat(message).contains("https://github.com/lockboot/"));
	}

	@Test
	void everyPageIsInTheReadmeAndInTheSite() throws IOException {
		String site = Files.readString(Path.of("../site/.vitepress/config.js"));
		List<String> linked = Page.readme().links();
		assertThat(Page.all()).extracting(Page::toString)
			.filteredOn((page) -> !page.equals("README.md") && page.endsWith(".md"))
			.allSatisfy((page) -> assertThat(linked).contains("docs/" + page))
			.allSatisfy((page) -> assertThat(site).contains("'" + page.replace(".md", "") + "'"));
	}

	@Test
	void linksLeadToFilesAndHeadings() {
		for (Page page : Page.all()) {
			assertThat(page.links()).as("links of " + page).allSatisfy(page::follow);
		}
	}

	private static List<String> found(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static String unquoted(String cell) {
		return cell.replace("`", "");
	}

}
