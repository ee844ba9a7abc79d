package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.store.LockBackend;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.autoconfigure.store.RedisFeature;

/**
 * Warns of properties under {@code lock} that do not exist, that belong to a store that
 * is not used, or whose time was probably meant in another unit; and of those of Redis in
 * Spring Boot 2. The check runs before beans are created, because a bean may fail for
 * lack of the property. Properties of other classes of the application are ignored.
 * Environment variables are ignored unless they look like a typing error, because they
 * may belong to any program. The properties of a disabled feature are not checked.
 */
record UnknownPropertiesWarning(ConfigurableEnvironment environment) implements BeanFactoryPostProcessor {

	private static final Log logger = LogFactory.getLog(UnknownPropertiesWarning.class);

	private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

	private static final ConfigurationPropertyName REDIS_OF_BOOT_2 = ConfigurationPropertyName.of("spring.redis");

	/** A property that other features use with any store. */
	private static final ConfigurationPropertyName CONNECTION_FACTORY = LOCK.append("redis.connection-factory");

	/** Its package depends on this one. */
	private static final String LEADER_PROPERTIES = "io.github.lockboot.autoconfigure.leader.LeaderProperties";

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		List<Found> found = found(LOCK);
		warnOfSpringBoot2();
		if (found.isEmpty()) {
			return;
		}
		KnownProperties known = new KnownProperties(
				types((feature) -> found.stream().anyMatch((property) -> isOf(feature, property.name()))));
		Map<ConfigurationPropertyName, String> warnings = new LinkedHashMap<>();
		found.forEach((property) -> {
			boolean variable = property.isVariable();
			List<String> elements = elements(property.name());
			if (known.contains(elements, variable)) {
				if (!variable && isOfAnotherStore(property.name(), beanFactory)) {
					warnings.putIfAbsent(property.name(),
							"Property " + property.origin() + " does not apply, because lock.backend is " + backend());
				}
				else if (known.isDuration(elements, variable)) {
					warnOfUnit(property, warnings);
				}
				return;
			}
			List<String> meant = known.nearest(elements, variable);
			if (meant != null || !variable) {
				warnings.putIfAbsent(property.name(), "Unknown property " + property.origin() + " is ignored"
						+ ((meant != null) ? suggestion(meant, variable) : ""));
			}
		});
		log(warnings, beanFactory);
	}

	private static void log(Map<ConfigurationPropertyName, String> warnings, ListableBeanFactory beanFactory) {
		if (!warnings.isEmpty()) {
			prefixesOfOthers(beanFactory).forEach(
					(prefix) -> warnings.keySet().removeIf((name) -> prefix.equals(name) || prefix.isAncestorOf(name)));
			warnings.values().forEach(logger::warn);
		}
	}

	private void warnOfSpringBoot2() {
		if (backend().equals(LockBackend.REDIS)) {
			found(REDIS_OF_BOOT_2).stream()
				.filter((property) -> !property.name().getElement(2, Form.UNIFORM).equals("redisson"))
				.forEach((property) -> logger.warn("Property " + property.origin() + " is that of Spring Boot 2 and is"
						+ " ignored: rename it to spring.data.redis." + property.name().subName(2)));
		}
	}

	/**
	 * Warn of a lease that is shorter than pauses of a JVM, and of a time below a second
	 * that has no unit, and was probably meant in seconds.
	 */
	private void warnOfUnit(Found property, Map<ConfigurationPropertyName, String> warnings) {
		String text = property.text(this.environment).trim();
		Duration time;
		try {
			time = DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			return; // reported when it is bound
		}
		boolean bare = text.chars().allMatch(Character::isDigit);
		boolean lease = property.name().getLastElement(Form.UNIFORM).startsWith("lease");
		if ((bare || lease) && !time.isZero() && !time.isNegative() && time.compareTo(Duration.ofSeconds(1)) < 0) {
			warnings.putIfAbsent(property.name(),
					"Property " + property.origin() + " is '" + text + "', which is read as " + LockDefaults.text(time)
							+ (bare ? ": write " + text + "ms, or " + text + "s for seconds"
									: ": a JVM that pauses for longer loses its lease"));
		}
	}

	/**
	 * Return whether a property belongs to a store that is not used. Local locks replace
	 * any store, for example in tests; additional templates may use any store.
	 */
	private boolean isOfAnotherStore(ConfigurationPropertyName name, ListableBeanFactory beanFactory) {
		String store = name.getElement(1, Form.UNIFORM);
		String backend = backend();
		return !LockPropertiesCheck.refuses(name, backend()) && LockBackends.find(store) != null
				&& !List.of(store, LockBackend.LOCAL).contains(backend) && !CONNECTION_FACTORY.equals(name)
				&& !hasTemplateOf(store, beanFactory);
	}

	private static boolean hasTemplateOf(String store, ListableBeanFactory beanFactory) {
		return Arrays.stream(beanFactory.getBeanNamesForType(LockOperations.class, true, false))
			.map((bean) -> beanFactory.getType(bean, false))
			.anyMatch((type) -> type != null && type.getName().startsWith("io.github.lockboot." + store + "."));
	}

	private String backend() {
		return this.environment.getProperty("lock.backend", LockBackend.REDIS).toLowerCase(Locale.ROOT);
	}

	private static boolean isOf(RedisFeature feature, ConfigurationPropertyName name) {
		return ConfigurationPropertyName.of(feature.prefix()).isAncestorOf(name);
	}

	/**
	 * Return the properties in all sources. A name may be in several sources, of which
	 * only one consists of variables.
	 */
	private List<Found> found(ConfigurationPropertyName prefix) {
		List<Found> found = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources
			.from(this.environment.getPropertySources())) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter((name) -> prefix.isAncestorOf(name) && !isOfDisabledFeature(name.chop(2)))
					.forEach((name) -> found.add(new Found(name, iterable)));
			}
		}
		return found;
	}

	/**
	 * Return whether a section is switched off, and belongs to another artifact, of which
	 * no class is loaded then: the sections of the locks have no such switch.
	 */
	private boolean isOfDisabledFeature(ConfigurationPropertyName section) {
		return !this.environment.getProperty(section + ".enabled", Boolean.class, true)
				&& new KnownProperties(typesOfLocks()).names()
					.stream()
					.noneMatch((name) -> name.startsWith(section + "."));
	}

	/**
	 * Return the classes of properties, by their prefixes.
	 * @param wanted selects from the features of other artifacts
	 */
	static Map<String, Class<?>> types(Predicate<RedisFeature> wanted) {
		Map<String, Class<?>> types = typesOfLocks();
		RedisFeature.others()
			.stream()
			.filter(wanted)
			.filter((feature) -> feature.properties() != null)
			.forEach((feature) -> types.put(feature.prefix(), feature.properties()));
		return types;
	}

	private static Map<String, Class<?>> typesOfLocks() {
		ClassLoader loader = UnknownPropertiesWarning.class.getClassLoader();
		Map<String, Class<?>> types = new LinkedHashMap<>(Map.of("lock", LockProperties.class, "lock.leader",
				ClassUtils.resolveClassName(LEADER_PROPERTIES, loader)));
		LockBackends.all()
			.stream()
			.filter((backend) -> backend.properties() != null)
			.forEach((backend) -> types.put("lock." + backend.name(), backend.properties()));
		return types;
	}

	private static List<String> elements(ConfigurationPropertyName name) {
		return IntStream.range(0, name.getNumberOfElements())
			.mapToObj((index) -> name.getElement(index, Form.ORIGINAL))
			.toList();
	}

	private static String suggestion(List<String> meant, boolean variable) {
		Stream<String> elements = meant.stream();
		return "; did you mean '" + (variable
				? elements.map((element) -> RelaxedNames.uniform(element).toUpperCase(Locale.ROOT))
					.collect(Collectors.joining("_"))
				: elements.map((element) -> element.equals("*") ? "<name>" : element)
					.map((element) -> element.contains(".") ? "[" + element + "]" : "." + element)
					.collect(Collectors.joining())
					.substring(1))
				+ "'?";
	}

	private static List<ConfigurationPropertyName> prefixesOfOthers(ListableBeanFactory beanFactory) {
		return List.of(beanFactory.getBeanNamesForAnnotation(ConfigurationProperties.class))
			.stream()
			.filter((bean) -> !isOurs(beanFactory.getType(bean, false)))
			.map((bean) -> beanFactory.findAnnotationOnBean(bean, ConfigurationProperties.class, false))
			.filter(Objects::nonNull)
			.map(ConfigurationProperties::prefix)
			.filter(StringUtils::hasText)
			.map((prefix) -> ConfigurationPropertyName.adapt(prefix, '.'))
			.toList();
	}

	private static boolean isOurs(@Nullable Class<?> type) {
		return type != null && types((feature) -> true).containsValue(type);
	}

	/** A property under {@code lock}, in one of its sources. */
	private record Found(ConfigurationPropertyName name, IterableConfigurationPropertySource source) {

		boolean isVariable() {
			return this.source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
		}

		String text(Environment environment) {
			ConfigurationProperty property = this.source.getConfigurationProperty(this.name);
			return (property != null) ? environment.resolvePlaceholders(String.valueOf(property.getValue())) : "";
		}

		String origin() {
			ConfigurationProperty property = this.source.getConfigurationProperty(this.name);
			return "'" + this.name + "'"
					+ ((property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
		}

	}

}
