package io.github.lockboot.docs;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.cache.autoconfigure.CacheProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of README and manual agree with the code.
 */
class TablesTests {

	private final Page readme = Page.readme();

	private final Page template = Page.docs("template.md");

	@Test
	void propertiesAreThoseOfTheMetadataWithTheirDefaults() {
		Map<String, String> documented = new TreeMap<>();
		this.readme.table("Properties").forEach((row) -> {
			assertThat(row).hasSize(3).last().asString().isNotEmpty();
			documented.put(unquoted(row.get(0)), unquoted(row.get(1)));
		});
		assertThat(documented).isEqualTo(propertiesWithDefaults());
	}

	@Test
	void attributesAreThoseOfTheAnnotation() {
		assertThat(this.readme.table("The annotation").stream().flatMap((row) -> Arrays.stream(row.get(0).split(", "))))
			.map(TablesTests::unquoted)
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(DistributedLock.class.getDeclaredMethods()).map(Method::getName).toList());
	}

	@Test
	void errorsAreTheExceptionsOfTheApi() {
		List<String> exceptions = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
			.importPackagesOf(LockException.class)
			.stream()
			.filter((type) -> type.getPackage().getName().equals(LockException.class.getPackageName()))
			.filter((type) -> type.isAssignableTo(LockException.class) && !type.isEquivalentTo(LockException.class))
			.map(JavaClass::getSimpleName)
			.toList();
		assertThat(this.readme.table("Errors")).map((row) -> unquoted(row.get(0)))
			.containsExactlyInAnyOrderElementsOf(exceptions);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Never silently unlocked", "Problems reported for other libraries" })
	void namedTestsExist(String heading) {
		List<List<String>> rows = Page.docs("annotation.md").table(heading);
		assertThat(rows).isNotEmpty().allSatisfy((row) -> {
			String[] test = unquoted(row.get(row.size() - 1)).split("\\.");
			assertThat(TestSources.read(test[0] + ".java")).contains("void " + test[1] + "(");
		});
	}

	@Test
	void everyAttributeIsInTheManual() {
		Page manual = Page.docs("annotation.md");
		assertThat(DistributedLock.class.getDeclaredMethods()).extracting(Method::getName)
			.filteredOn((attribute) -> !attribute.equals("value"))
			.allSatisfy((attribute) -> assertThat(manual.text()).containsPattern("(?m)^### .*`" + attribute + "`"));
	}

	@Test
	void methodsAreThoseOfTheTemplate() {
		assertThat(this.template.table("The template")).map((row) -> unquoted(row.get(0)))
			.containsExactlyInAnyOrderElementsOf(
					Arrays.stream(LockOperations.class.getMethods()).map(Method::getName).distinct().toList());
	}

	@Test
	void componentsAreThoseOfARequest() {
		assertThat(this.template.table("The lock request")).map((row) -> unquoted(row.get(0)))
			.containsExactlyElementsOf(
					Arrays.stream(LockRequest.class.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@Test
	void linksLeadToFiles() {
		for (Page page : Page.all()) {
			assertThat(page.links()).as("links of " + page)
				.allSatisfy((link) -> assertThat(page.file().resolveSibling(link)).exists());
		}
	}

	private static Map<String, String> propertiesWithDefaults() {
		Map<String, String> properties = new TreeMap<>();
		Metadata.properties().forEach((property) -> properties.put(property.name(), property.defaultText()));
		// the annotation processor does not describe the values of a map
		assertThat(properties).containsKey("lock.locks");
		properties.remove("lock.locks");
		for (Field field : LockProperties.Named.class.getDeclaredFields()) {
			String name = DataObjectPropertyName.toDashedForm(field.getName());
			String general = "lock." + name;
			properties.put("lock.locks.<name>." + name, properties.containsKey(general) ? general : "");
		}
		assertThat(properties).containsKey("lock.cache.caches");
		properties.remove("lock.cache.caches");
		for (Field field : CacheProperties.Named.class.getDeclaredFields()) {
			String name = DataObjectPropertyName.toDashedForm(field.getName());
			if (!properties.containsKey("lock.cache." + name)) {
				properties.put("lock.cache.caches.<name>." + name, "");
			}
		}
		return properties;
	}

	private static String unquoted(String cell) {
		return cell.replace("`", "");
	}

}
