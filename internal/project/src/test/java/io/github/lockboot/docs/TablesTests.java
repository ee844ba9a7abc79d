package io.github.lockboot.docs;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of the pages agree with the code.
 */
class TablesTests {

	/** What is logged as a warning or an error, or thrown at run time. */
	private static final String REPORTED = "(?s)(?:(?:log\\w*|risks|losses|leaks)\\.(?:warn|error)\\("
			+ "|new (?:LockException|Lock(?:NotAcquired|Unavailable|Lost)\\w*|CannotAcquireLock\\w*|QueryTimeout\\w*)\\("
			+ "|super\\((?=lockName|guarded|cacheName)|\\blose\\(|overtaken\\(|take\\(attempt)(.*?)\\);\n";

	private final Page methods = Page.docs("locking-methods.md");

	private final Page template = Page.docs("locking-by-hand.md");

	@Test
	void attributesAreThoseOfTheAnnotation() {
		assertThat(attributes(0)).map(TablesTests::unquoted)
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
		assertThat(Page.docs("incidents.md").table("Errors")).map((row) -> unquoted(row.get(0)))
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
	void callsOfAStoreAreThoseOfThePort() {
		Page page = Page.docs("adding-a-store.md");
		assertThat(page.table("The port")).map((row) -> unquoted(row.get(0)))
			.containsExactlyInAnyOrderElementsOf(instanceMethods(LockStore.class));
		assertThat(instanceMethods(LockAdministration.class))
			.allSatisfy((method) -> assertThat(page.text()).contains("`" + method + "`"));
	}

	private static List<String> instanceMethods(Class<?> type) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
			.map(Method::getName)
			.toList();
	}

	@Test
	void componentsAreThoseOfARequest() {
		assertThat(attributes(1)).map(TablesTests::unquoted)
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(LockRequest.class.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@ParameterizedTest
	@ValueSource(strings = { "Messages of calls", "Messages of transactions", "Reasons of a loss",
			"Warnings at run time", "Warnings about Redis", "Warnings of the cache",
			"Warnings about databases and ZooKeeper", "Messages at startup" })
	void messagesAreThoseOfTheCode(String heading) {
		String code = Sources.main();
		List<List<String>> rows = Page.docs("incidents.md").table(heading);
		assertThat(rows).isNotEmpty().allSatisfy((row) -> {
			assertThat(found("`([^`]+)`", row.get(0))).isNotEmpty()
				.allSatisfy((message) -> assertThat(code).contains(message.split("…")));
		});
	}

	@Test
	void everyMessageOfAnErrorOrALossIsAmongTheIncidents() {
		String page = Page.docs("incidents.md").text();
		assertThat(found(REPORTED, Sources.main())).hasSizeGreaterThan(70)
			.map((call) -> found("\"([^\"\\n]*)\"", call).stream()
				.max(Comparator.comparing(String::length))
				.filter((text) -> text.length() > 11)
				.map((text) -> text.substring(0, Math.min(text.length(), 40)).strip())
				.orElse(""))
			.allSatisfy((message) -> assertThat(page).contains(message));
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
		String site = Files.readString(Path.of("../../site/.vitepress/config.js"));
		List<String> linked = Page.readme().links();
		assertThat(Page.all()).extracting(Page::toString)
			.filteredOn((page) -> !page.equals("README.md") && page.endsWith(".md"))
			.allSatisfy((page) -> assertThat(linked).contains("docs/" + page))
			.allSatisfy((page) -> assertThat(site).contains("'" + page.replace(".md", "") + "'"));
	}

	@Test
	void noCellHasMoreThanThirtyWords() {
		assertThat(Page.all()).flatMap((page) -> page.prose().lines().filter((line) -> line.startsWith("|")).toList())
			.flatMap((row) -> List.of(row.substring(1).split("\\|")))
			.allSatisfy((cell) -> assertThat(cell.replace("\u00b7", " ").trim().split("\\s+"))
				.hasSizeLessThanOrEqualTo(30));
	}

	@Test
	void linksLeadToFilesAndHeadings() {
		for (Page page : Page.all()) {
			assertThat(page.links()).as("links of " + page).allSatisfy(page::follow);
		}
	}

	private Stream<String> attributes(int column) {
		return this.methods.table("The attributes")
			.stream()
			.flatMap((row) -> Arrays.stream(row.get(column).split(", ")))
			.filter((cell) -> !cell.isEmpty());
	}

	private static List<String> found(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static String unquoted(String cell) {
		return cell.replace("`", "");
	}

}
