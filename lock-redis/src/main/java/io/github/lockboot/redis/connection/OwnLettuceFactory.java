package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.lettuce.core.resource.ClientResources;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Creates a Lettuce connection factory in addition to another Redis client, as Spring
 * Boot would for {@code spring.data.redis.client-type=lettuce}: with the same connection
 * details, SSL bundles and customizers. For this purpose a small separate context runs
 * Spring Boot's auto-configuration; the context is closed with the application.
 */
@Internal
public final class OwnLettuceFactory {

	private static final Log logger = LogFactory.getLog(OwnLettuceFactory.class);

	/** The packages in Spring Boot 4, and in earlier versions. */
	private static final List<String> PACKAGES = List.of("org.springframework.boot.data.redis.autoconfigure.",
			"org.springframework.boot.autoconfigure.data.redis.", "org.springframework.boot.ssl.");

	private static final List<String> DETAILS = List.of("DataRedisConnectionDetails", "RedisConnectionDetails");

	/**
	 * Auto-configurations whose factories connect as Spring Boot's properties say, or not
	 * at all.
	 */
	private static final List<String> AUTO_CONFIGURATIONS = List.of("org.springframework.boot.",
			"org.redisson.spring.starter.");

	/** Properties with which Redisson does not use those of Spring Boot. */
	private static final List<String> REDISSON_ONLY = List.of("spring.redis.redisson.config",
			"spring.redis.redisson.file");

	private final ConfigurableListableBeanFactory beanFactory;

	private final ConfigurableEnvironment environment;

	/** Create an instance for an application. */
	public OwnLettuceFactory(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.environment = beanFactory.getBean(ConfigurableEnvironment.class);
	}

	/**
	 * Create a factory, unless it might connect to another server than the application.
	 * @param users who connect, as the beginning of a sentence
	 * @param others names of the factories of other clients
	 * @return the factory, or {@code null} if the servers are not known from Spring Boot
	 */
	public @Nullable LettuceConnectionFactory create(String users, List<String> others) {
		Class<?> autoConfiguration = present("DataRedisAutoConfiguration", "RedisAutoConfiguration");
		boolean known = !others.isEmpty() ? others.stream().allMatch(this::connectsBySpringBoot)
				: DETAILS.stream().flatMap(OwnLettuceFactory::types).anyMatch(this::isBean);
		if (autoConfiguration == null || !known
				|| REDISSON_ONLY.stream().anyMatch(this.environment::containsProperty)) {
			return null;
		}
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.setEnvironment(lettuceEnvironment());
		copyBeans(context);
		context.register(autoConfiguration);
		context.refresh();
		((DefaultSingletonBeanRegistry) this.beanFactory).registerDisposableBean("lockbootLettuce" + context.hashCode(),
				context::close);
		logger.info(users + " connect to the Redis of spring.data.redis with Lettuce, over their own"
				+ " connections, in addition to "
				+ (others.isEmpty() ? "a bean of connection details" : String.join(", ", others)));
		return context.getBean(LettuceConnectionFactory.class);
	}

	/**
	 * Return whether a factory connects as Spring Boot's properties say. A bean of the
	 * application may connect anywhere.
	 */
	private boolean connectsBySpringBoot(String beanName) {
		BeanDefinition definition = this.beanFactory.containsBeanDefinition(beanName)
				? this.beanFactory.getMergedBeanDefinition(beanName) : null;
		String declaring = (definition != null) ? definition.getFactoryBeanName() : null;
		return declaring != null && AUTO_CONFIGURATIONS.stream().anyMatch(declaring::startsWith);
	}

	private ConfigurableEnvironment lettuceEnvironment() {
		StandardEnvironment lettuce = new StandardEnvironment();
		lettuce.getPropertySources().forEach((source) -> lettuce.getPropertySources().remove(source.getName()));
		lettuce.getPropertySources()
			.addFirst(new MapPropertySource("lettuce", Map.of("spring.data.redis.client-type", "lettuce")));
		this.environment.getPropertySources().forEach(lettuce.getPropertySources()::addLast);
		lettuce.setActiveProfiles(this.environment.getActiveProfiles());
		return lettuce;
	}

	private void copyBeans(AnnotationConfigApplicationContext context) {
		Stream<Class<?>> ofBoot = Stream
			.concat(DETAILS.stream(), Stream.of("LettuceClientConfigurationBuilderCustomizer",
					"LettuceClientOptionsBuilderCustomizer", "ClientResourcesBuilderCustomizer", "SslBundles"))
			.flatMap(OwnLettuceFactory::types);
		Stream<Class<?>> others = Stream.of(RedisConfiguration.class, ClientResources.class);
		Stream.concat(ofBoot, others)
			.forEach((type) -> this.beanFactory.getBeansOfType(type)
				.forEach((name, bean) -> context.getBeanFactory().registerSingleton(name, bean)));
	}

	private boolean isBean(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type).length > 0;
	}

	private static @Nullable Class<?> present(String... names) {
		return Stream.of(names).flatMap(OwnLettuceFactory::types).findFirst().orElse(null);
	}

	private static Stream<Class<?>> types(String name) {
		ClassLoader loader = OwnLettuceFactory.class.getClassLoader();
		return PACKAGES.stream()
			.map((prefix) -> prefix + name)
			.filter((type) -> ClassUtils.isPresent(type, loader))
			.map((type) -> ClassUtils.resolveClassName(type, loader));
	}

}
