<?xml version="1.0" encoding="UTF-8"?>
<!-- The pom that is published: without optional dependencies, and with the least Spring, Spring Boot and coroutines. Gradle takes the greatest
     version that somebody asks for: ours would replace that of a user. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:pom="http://maven.apache.org/POM/4.0.0">
	<xsl:param name="spring"/>
	<xsl:param name="spring-boot"/>
	<xsl:param name="coroutines"/>
	<xsl:strip-space elements="*"/>
	<xsl:output encoding="UTF-8" indent="yes"/>
	<xsl:template match="@*|node()">
		<xsl:copy>
			<xsl:apply-templates select="@*|node()"/>
		</xsl:copy>
	</xsl:template>
	<xsl:template match="pom:dependency[pom:optional = 'true']"/>
	<xsl:template match="pom:dependency[pom:groupId = 'org.springframework']/pom:version/text()">
		<xsl:value-of select="$spring"/>
	</xsl:template>
	<xsl:template match="pom:dependency[pom:groupId = 'org.springframework.boot']/pom:version/text()">
		<xsl:value-of select="$spring-boot"/>
	</xsl:template>
	<xsl:template match="pom:dependency[pom:groupId = 'org.jetbrains.kotlinx']/pom:version/text()">
		<xsl:value-of select="$coroutines"/>
	</xsl:template>
</xsl:stylesheet>
